import { randomBytes, randomUUID } from "node:crypto";

import { sql } from "@nutrition/postgres/sql";
import type { UpstreamDeletion } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { DeletionOutcome } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { revokeGrantTx } from "../src/store/grant-store.ts";
import {
  eraseOldSealedSessions,
  insertUpstreamDeletionTx,
} from "../src/store/upstream-deletion-store.ts";
import type { Fixture } from "./fixture.ts";
import { CALL, asPerson, makeAccount, startFixture } from "./fixture.ts";

const { DONE, RETRY, NEEDS_SIGN_IN } = DeletionOutcome;
const scopes = ["service.read"];
const NONE = new Uint8Array();

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => fixture.database.query(sql`delete from upstream_deletions`));

/**
 * A person who connected and disconnected a client, with the session that the pages sealed for the
 * deletion.
 */
async function revocation(sealedSession: Uint8Array = randomBytes(64)) {
  const accountId = await makeAccount(fixture);
  const person = asPerson(accountId);
  const clientId = `client-${randomUUID()}`;
  await fixture.web.putGrant({ clientId, scopes }, person);
  await fixture.web.revokeGrant({ clientId, sealedSession }, person);
  return { accountId, clientId, person, sealedSession };
}

async function take(max = 0): Promise<UpstreamDeletion[]> {
  return (await fixture.web.takeUpstreamDeletions({ max }, CALL)).deletions;
}

async function takeOne(): Promise<UpstreamDeletion> {
  const [taken, ...others] = await take();
  expect(others).toEqual([]);
  return taken!;
}

async function finish({ id, leaseId }: UpstreamDeletion, outcome: DeletionOutcome) {
  return (await fixture.web.finishUpstreamDeletion({ id, leaseId, outcome }, CALL)).recorded;
}

/** Moves all deletions' timestamps into the past. */
async function age(seconds: number): Promise<void> {
  await fixture.database.query(sql`
    update upstream_deletions set
      due_at = due_at - make_interval(secs => ${seconds}),
      created_at = created_at - make_interval(secs => ${seconds})
  `);
}

async function countDeletions(): Promise<number> {
  return (await fixture.database.query(sql`select from upstream_deletions`)).length;
}

test("a revoked connection is scheduled for deletion once, with its sealed session", async () => {
  const { accountId, clientId, person, sealedSession } = await revocation();
  await fixture.web.revokeGrant({ clientId, sealedSession: randomBytes(9) }, person);
  const taken = await takeOne();
  expect(taken).toMatchObject({ accountId, clientId, attempts: 1 });
  expect(Buffer.from(taken.sealedSession)).toEqual(sealedSession);
  expect(await take()).toEqual([]);
  expect(await finish(taken, DONE)).toBe(true);
  await fixture.web.revokeGrant({ clientId, sealedSession }, person);
  expect(await countDeletions()).toBe(0);
});

test("concurrent revocations of one connection schedule one deletion", async () => {
  const person = asPerson(await makeAccount(fixture));
  const clientId = "client";
  await fixture.web.putGrant({ clientId, scopes }, person);
  const revocations = Array.from({ length: 6 }, () =>
    fixture.web.revokeGrant({ clientId }, person),
  );
  const times = (await Promise.all(revocations)).map(({ grant }) => grant!.revokedAt);
  expect(new Set(times.map((time) => JSON.stringify(time, String))).size).toBe(1);
  expect(await countDeletions()).toBe(1);
});

test("refuses a session that is too long, and revokes nothing", async () => {
  const person = asPerson(await makeAccount(fixture));
  const clientId = "client";
  await fixture.web.putGrant({ clientId, scopes }, person);
  const sealedSession = new Uint8Array(8_193);
  await expect(fixture.web.revokeGrant({ clientId, sealedSession }, person)).rejects.toMatchObject({
    reason: "INVALID_SEALED_SESSION",
  });
  expect((await fixture.web.listGrants({}, person)).grants).toHaveLength(1);
  await fixture.web.revokeGrant({ clientId, sealedSession: new Uint8Array(8_192) }, person);
});

test("leases each deletion to one of several concurrent callers", async () => {
  for (let n = 0; n < 6; n += 1) await revocation();
  const taken = await Promise.all([take(2), take(2), take(2), take(2)]);
  expect(Math.max(...taken.map((some) => some.length))).toBeLessThanOrEqual(2);
  const ids = taken.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const rest = await take();
  expect(ids.length + rest.length).toBe(6);
});

test("an expired lease goes to the next caller, and the late result of the first is ignored", async () => {
  await revocation();
  const first = await takeOne();
  await age(59);
  expect(await take()).toEqual([]);
  await age(2);
  const second = await takeOne();
  expect(second).toMatchObject({ id: first.id, attempts: 2 });
  expect(second.leaseId).not.toBe(first.leaseId);
  for (const outcome of [DONE, RETRY, NEEDS_SIGN_IN])
    expect(await finish(first, outcome)).toBe(false);
  expect(await finish(second, DONE)).toBe(true);
  expect(await finish(second, DONE)).toBe(false);
});

test("retries a failed deletion with growing delays of at most ten minutes", async () => {
  await revocation();
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 12; attempt += 1) {
    const taken = await takeOne();
    expect(taken.attempts).toBe(attempt);
    expect(await finish(taken, RETRY)).toBe(true);
    expect(await take()).toEqual([]);
    const [row] = await fixture.database.query<{ seconds: number }>(sql`
      select extract(epoch from due_at - clock_timestamp())::double precision as seconds
      from upstream_deletions
    `);
    pauses.push(row!.seconds);
    await fixture.database.query(sql`update upstream_deletions set due_at = clock_timestamp()`);
  }
  for (const [at, seconds] of pauses.entries()) {
    const longest = Math.min(5 * 2 ** at, 600);
    expect(seconds).toBeLessThanOrEqual(longest);
    expect(seconds).toBeGreaterThan(longest / 2 - 1);
  }
});

test("erases a refused session, and waits until the person signs in", async () => {
  const { person } = await revocation();
  expect(await finish(await takeOne(), NEEDS_SIGN_IN)).toBe(true);
  await age(600);
  expect(await take()).toEqual([]);
  const { deletions } = await fixture.web.takeOwnUpstreamDeletions({}, person);
  expect(deletions).toMatchObject([{ sealedSession: NONE, attempts: 2 }]);
  expect(await finish(deletions[0]!, DONE)).toBe(true);
  expect(await countDeletions()).toBe(0);
});

test("a sign-in leases all of the person's unleased deletions, and no others", async () => {
  const { person, accountId } = await revocation(NONE);
  await revocation();
  const takeOwn = async () => (await fixture.web.takeOwnUpstreamDeletions({}, person)).deletions;
  const [mine, ...others] = await takeOwn();
  expect(mine).toMatchObject({ accountId, sealedSession: NONE });
  expect(others).toEqual([]);
  expect(await takeOwn()).toEqual([]);
  expect(await finish(mine!, RETRY)).toBe(true);
  expect(await takeOwn()).toHaveLength(1);
});

test("an operator's revocation waits for the person, too", async () => {
  const accountId = await makeAccount(fixture);
  const person = asPerson(accountId);
  await fixture.web.putGrant({ clientId: "client", scopes }, person);
  await fixture.admin.revokeGrant({ accountId, clientId: "client" }, CALL);
  expect(await take()).toEqual([]);
  expect((await fixture.web.takeOwnUpstreamDeletions({}, person)).deletions).toHaveLength(1);
});

test("erases a sealed session after an hour and hands it to nobody", async () => {
  await revocation();
  await age(3_599);
  await eraseOldSealedSessions(fixture.database);
  const taken = await takeOne();
  await finish(taken, RETRY);
  await age(601);
  expect(await take()).toEqual([]);
  await eraseOldSealedSessions(fixture.database);
  const rows = await fixture.database.query(sql`select sealed_session from upstream_deletions`);
  expect(rows).toEqual([{ sealed_session: null }]);
});

test("connecting a client again cancels its deletion", async () => {
  const { clientId, person } = await revocation();
  await fixture.web.putGrant({ clientId, scopes }, person);
  expect(await countDeletions()).toBe(0);
  await fixture.web.revokeGrant({ clientId }, person);
  expect(await countDeletions()).toBe(1);
});

test("a client cannot be connected again while its deletion is in progress", async () => {
  const { clientId, person } = await revocation();
  const taken = await takeOne();
  const consent = () => fixture.web.putGrant({ clientId, scopes }, person);
  await expect(consent()).rejects.toMatchObject({
    kind: "unavailable",
    reason: "CONNECTION_BEING_DELETED",
    retryAfterMs: expect.toSatisfy((ms: number) => ms > 50_000 && ms <= 60_000),
  });
  expect((await fixture.web.listGrants({}, person)).grants).toEqual([]);
  await finish(taken, DONE);
  await expect(consent()).resolves.toBeDefined();
});

test("once a lease has expired, the client can be connected and nothing deletes it", async () => {
  const { clientId, person } = await revocation();
  const taken = await takeOne();
  await age(61);
  await fixture.web.putGrant({ clientId, scopes }, person);
  for (const outcome of [RETRY, DONE]) expect(await finish(taken, outcome)).toBe(false);
  expect(await take()).toEqual([]);
});

test("concurrent connects, revocations and leases leave no deletion of a live connection", async () => {
  const accountId = await makeAccount(fixture);
  const person = asPerson(accountId);
  for (let round = 0; round < 15; round += 1) {
    const clientId = `client-${round}`;
    const sealedSession = randomBytes(8);
    await fixture.web.putGrant({ clientId, scopes }, person);
    await Promise.allSettled([
      fixture.web.revokeGrant({ clientId, sealedSession }, person),
      fixture.web.putGrant({ clientId, scopes }, person),
      take(),
      fixture.web.revokeGrant({ clientId, sealedSession }, person),
    ]);
  }
  const rows = await fixture.database.query(sql`
    select from grants g
    where g.account_id = ${accountId}
      and (g.revoked_at is null) != exists (
        select from upstream_deletions d
        where d.account_id = g.account_id and d.client_id = g.client_id
      )
  `);
  expect(rows).toHaveLength(15);
});

test("a client that is connected while being revoked is not deleted", async () => {
  const accountId = await makeAccount(fixture);
  const person = asPerson(accountId);
  const clientId = "client";
  await fixture.web.putGrant({ clientId, scopes }, person);
  const { promise: allowing, resolve } = Promise.withResolvers<Promise<unknown>>();
  await fixture.database.transaction(async (tx) => {
    await revokeGrantTx(tx, accountId, clientId);
    resolve(fixture.web.putGrant({ clientId, scopes }, person));
    await expect.poll(countWaiting).toBe(1);
    await insertUpstreamDeletionTx(tx, {
      id: randomUUID(),
      accountId,
      clientId,
      sealedSession: null,
    });
  });
  await expect(allowing).resolves.toBeDefined();
  expect(await countDeletions()).toBe(0);
  expect((await fixture.web.listGrants({}, person)).grants).toHaveLength(1);
});

/** Statements that wait for another transaction. */
async function countWaiting(): Promise<number> {
  const rows = await fixture.database.query(sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
  `);
  return rows.length;
}

test("erasing an account removes its deletions and sealed sessions", async () => {
  const { accountId } = await revocation();
  await fixture.admin.eraseAccount({ accountId }, CALL);
  expect(await countDeletions()).toBe(0);
});

test.each([
  ["no outcome", { outcome: DeletionOutcome.UNSPECIFIED }, "INVALID_OUTCOME"],
  ["an id that is not a UUID", { id: "1" }, "INVALID_ID"],
  ["a lease that is not a UUID", { leaseId: "1" }, "INVALID_ID"],
])("refuses to finish with %s", async (_, change, reason) => {
  const request = { id: randomUUID(), leaseId: randomUUID(), outcome: DONE, ...change };
  await expect(fixture.web.finishUpstreamDeletion(request, CALL)).rejects.toMatchObject({ reason });
});

test("refuses more than 50 at once", async () => {
  const take51 = fixture.web.takeUpstreamDeletions({ max: 51 }, CALL);
  await expect(take51).rejects.toMatchObject({ reason: "INVALID_MAX" });
});
