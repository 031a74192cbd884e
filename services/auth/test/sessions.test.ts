import { randomUUID } from "node:crypto";

import { sql } from "@nutrition/postgres/sql";
import { AuthService, OwnSession } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { CallOptions } from "@nutrition/rpc/service-definition";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { access } from "../src/rpc/access.ts";
import { endLapsedSessions } from "../src/operations/end-lapsed-sessions.ts";
import type { Fixture } from "./fixture.ts";
import { CALL, asPerson, makeAccount, someEmail, startFixture } from "./fixture.ts";

const READ = ["service.read"];
const ended = { kind: "unauthenticated", reason: "SESSION_ENDED" };
const notRecent = { kind: "failed_precondition", reason: "SIGN_IN_NOT_RECENT" };

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

function newPerson() {
  const subject = randomUUID();
  return { issuer: "https://id.example", subject, email: someEmail(), emailVerified: true };
}

/** A person who has signed in, with the call options of their session. */
async function signIn(claims = newPerson(), replacedSessionId = "") {
  const { account, sessionId } = await fixture.web.signIn({ claims, replacedSessionId }, CALL);
  const accountId = account!.id;
  return { claims, accountId, sessionId, person: asPerson(accountId, sessionId) };
}

async function stateOf(person: CallOptions) {
  const { isLive, isRecent } = await fixture.web.checkSession({}, person);
  return { isLive, isRecent };
}

async function isLive(person: CallOptions): Promise<boolean> {
  return (await stateOf(person)).isLive;
}

/** Moves the session's timestamps into the past. */
async function age(sessionId: string, interval: string): Promise<void> {
  await fixture.database.query(sql`
    update sessions set
      signed_in_at = signed_in_at - ${interval}::interval,
      last_seen_at = last_seen_at - ${interval}::interval
    where id = ${sessionId}
  `);
}

const createKey = (person: CallOptions) => fixture.web.createKey({ scopes: READ }, person);

test("a sign-in begins a live, recent session", async () => {
  const { person } = await signIn();
  expect(await stateOf(person)).toEqual({ isLive: true, isRecent: true });
  expect((await createKey(person)).key).toBeDefined();
});

describe("an ended session", () => {
  type Method = keyof typeof AuthService.method;
  const forSessions = Object.entries(access)
    .filter(([, rule]) => rule.user === "session" && rule.callers.includes("web"))
    .map(([name]) => name as Method)
    .filter((name) => !["checkSession", "endSession"].includes(name));

  test.each(forSessions)("is refused by %s", async (method) => {
    const { person } = await signIn();
    await fixture.web.endSession({}, person);
    const call = fixture.web[method] as (request: object, options: CallOptions) => Promise<unknown>;
    await expect(call({}, person)).rejects.toMatchObject(ended);
  });

  test("stays ended, and can be ended again", async () => {
    const { person } = await signIn();
    await fixture.web.endSession({}, person);
    await fixture.web.endSession({}, person);
    expect(await stateOf(person)).toEqual({ isLive: false, isRecent: false });
  });

  test("cannot be told apart from a nonexistent one or from another account's", async () => {
    const [one, other] = [await signIn(), await signIn()];
    for (const sessionId of [randomUUID(), other.sessionId, "session"]) {
      const stranger = asPerson(one.accountId, sessionId);
      await expect(createKey(stranger)).rejects.toMatchObject(ended);
    }
  });

  test("includes the session of an erased account", async () => {
    const { person, accountId } = await signIn();
    await fixture.admin.eraseAccount({ accountId }, CALL);
    expect(await isLive(person)).toBe(false);
    await expect(createKey(person)).rejects.toMatchObject(ended);
  });
});

test("a person's session never ends another person's", async () => {
  const [ada, bob] = [await signIn(), await signIn()];
  await fixture.web.endSession({}, asPerson(ada.accountId, bob.sessionId));
  await fixture.web.endAllSessions({}, ada.person);
  const { person: again } = await signIn(ada.claims, bob.sessionId);
  expect(await isLive(bob.person)).toBe(true);
  expect(await isLive(ada.person)).toBe(false);
  expect(await isLive(again)).toBe(true);
});

test("a sign-in ends only the browser's previous session", async () => {
  const phone = await signIn();
  const first = await signIn(phone.claims);
  const second = await signIn(phone.claims, first.sessionId);
  expect(await isLive(first.person)).toBe(false);
  expect(await isLive(second.person)).toBe(true);
  expect(await isLive(phone.person)).toBe(true);
});

describe("ending all sessions", () => {
  async function three() {
    const own = await signIn();
    return { own, others: [await signIn(own.claims), await signIn(own.claims)] };
  }

  test("ends the requesting session too", async () => {
    const { own, others } = await three();
    const { sessionId } = await fixture.web.endAllSessions({}, own.person);
    expect(sessionId).toBe("");
    for (const { person } of [own, ...others]) expect(await isLive(person)).toBe(false);
  });

  test("can keep the requesting session", async () => {
    const { own, others } = await three();
    const request = { ownSession: OwnSession.KEEP };
    const { sessionId } = await fixture.web.endAllSessions(request, own.person);
    expect(sessionId).toBe(own.sessionId);
    for (const { person } of others) expect(await isLive(person)).toBe(false);
    expect(await isLive(own.person)).toBe(true);
  });

  test("can renew the requesting session, which ends its copies and is not a sign-in", async () => {
    const { own, others } = await three();
    await age(own.sessionId, "11 minutes");
    const request = { ownSession: OwnSession.REPLACE };
    const { sessionId } = await fixture.web.endAllSessions(request, own.person);
    for (const { person } of [own, ...others]) expect(await isLive(person)).toBe(false);
    const replaced = await stateOf(asPerson(own.accountId, sessionId));
    expect(replaced).toEqual({ isLive: true, isRecent: false });
  });

  test("leaves at most one session when called twice concurrently", async () => {
    const { own, others } = await three();
    const request = { ownSession: OwnSession.REPLACE };
    const all = [own, ...others];
    await Promise.allSettled(all.map(({ person }) => fixture.web.endAllSessions(request, person)));
    const left = await fixture.database.query(sql`
      select from sessions where account_id = ${own.accountId}
    `);
    expect(left).toHaveLength(1);
  });
});

describe("creating and replacing keys", () => {
  test("needs a sign-in from the last 10 minutes, whatever the pages claim", async () => {
    const { person, accountId, sessionId } = await signIn();
    const { key } = await createKey(person);
    await age(sessionId, "9 minutes 30 seconds");
    await createKey(person);
    await age(sessionId, "40 seconds");
    expect(await stateOf(person)).toEqual({ isLive: true, isRecent: false });
    await expect(createKey(person)).rejects.toMatchObject(notRecent);
    const rotation = fixture.web.rotateKey({ keyId: key!.id }, person);
    await expect(rotation).rejects.toMatchObject(notRecent);
    const selector = { case: "keyId", value: key!.id } as const;
    expect((await fixture.web.revokeKey({ selector }, person)).key!.revokedAt).toBeDefined();
    expect((await fixture.web.listKeys({}, asPerson(accountId, sessionId))).keys).toHaveLength(1);
  });

  test("needs no sign-in from an operator", async () => {
    const accountId = await makeAccount(fixture);
    expect((await fixture.admin.createKey({ accountId, scopes: READ }, CALL)).key).toBeDefined();
  });

  test("never succeeds after all sessions have ended, however close in time", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { accountId, person, claims } = await signIn();
      const other = await signIn(claims);
      const creations = Promise.allSettled([1, 2, 3, 4].map(() => createKey(other.person)));
      await fixture.web.endAllSessions({ ownSession: OwnSession.KEEP }, person);
      // Every key created before the end is visible when the call to end the sessions returns.
      const { keys } = await fixture.web.listKeys({}, person);
      await creations;
      const later = await fixture.web.listKeys({}, asPerson(accountId, person.user!.credentialId));
      expect(later.keys.map(({ id }) => id)).toEqual(keys.map(({ id }) => id));
    }
  });
});

test("a session's requests have succeeded or failed by the time its end returns", async () => {
  const { accountId, person } = await signIn();
  const { key } = await createKey(person);
  // Creating a key checks the session first, and then waits for the row of an expired key.
  const setExpired = sql`
    update api_keys set expires_at = clock_timestamp() where id = ${key!.id}
  `;
  await fixture.database.query(setExpired);
  let creation: Promise<unknown> = Promise.resolve();
  let listing: Promise<string[]> = Promise.resolve([]);
  let isEnded = false;
  await fixture.database.transaction(async (tx) => {
    await tx.query(setExpired);
    creation = createKey(person);
    await expect.poll(() => countWaiting()).toBe(1);
    listing = fixture.web.endSession({}, person).then(async () => {
      isEnded = true;
      const { keys } = await fixture.admin.listKeys({ accountId }, CALL);
      return keys.map(({ id }) => id);
    });
    await vi.waitFor(async () => expect(isEnded || (await countWaiting()) === 2).toBe(true));
  });
  await creation;
  expect(await listing).toHaveLength(1);
});

/** Statements that wait for a lock. */
async function countWaiting(): Promise<number> {
  const rows = await fixture.database.query(sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
  `);
  return rows.length;
}

test("a session expires after its cookie, and stays alive while in use", async () => {
  const [idle, used] = [await signIn(), await signIn()];
  await age(used.sessionId, "15 days");
  expect(await isLive(used.person)).toBe(true);
  await age(used.sessionId, "15 days");
  await age(idle.sessionId, "16 days");
  expect(await isLive(used.person)).toBe(true);
  expect(await isLive(idle.person)).toBe(false);
  await expect(createKey(idle.person)).rejects.toMatchObject(ended);
  await endLapsedSessions(fixture.database);
  const rows = await fixture.database.query<{ id: string }>(sql`
    select id from sessions where id in (${idle.sessionId}, ${used.sessionId})
  `);
  expect(rows).toEqual([{ id: used.sessionId }]);
});

test("lapsed sessions are deleted, however many, by instances side by side", async () => {
  const { accountId, sessionId } = await signIn();
  const { database } = fixture;
  await database.query(sql`
    insert into sessions (id, account_id, signed_in_at, last_seen_at)
    select gen_random_uuid(), ${accountId}, now() - interval '20 days', now() - interval '20 days'
    from generate_series(1, 2500)
  `);
  await Promise.all([endLapsedSessions(database), endLapsedSessions(database)]);
  const left = await database.query(sql`select id from sessions where account_id = ${accountId}`);
  expect(left).toEqual([{ id: sessionId }]);
});

test("an account has at most 50 sessions, and a new one ends the oldest", async () => {
  const first = await signIn();
  const second = await signIn(first.claims);
  await fixture.database.query(sql`
    insert into sessions (id, account_id, signed_in_at, last_seen_at)
    select gen_random_uuid(), ${first.accountId}, clock_timestamp(), clock_timestamp()
    from generate_series(1, 48)
  `);
  const latest = await signIn(first.claims);
  expect(await isLive(first.person)).toBe(false);
  expect(await isLive(second.person)).toBe(true);
  expect(await isLive(latest.person)).toBe(true);
});

test("concurrent sign-ins of one person all begin a session", async () => {
  const { claims } = await signIn();
  const people = await Promise.all(Array.from({ length: 8 }, () => signIn(claims)));
  for (const { person } of people) expect(await isLive(person)).toBe(true);
});
