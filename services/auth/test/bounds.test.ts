import { randomUUID } from "node:crypto";

import { sql } from "@nutrition/postgres/sql";
import type { CallOptions } from "@nutrition/rpc/service-definition";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Fixture } from "./fixture.ts";
import { CALL, asPerson, makeAccount, outcomesOf, startFixture } from "./fixture.ts";

const READ = ["service.read"];
const limitReached = { kind: "resource_exhausted", reason: "KEY_CREATION_LIMIT_REACHED" };

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

/** Creates a key and revokes it. */
async function createAndRevoke(person: CallOptions): Promise<void> {
  const { key } = await fixture.web.createKey({ scopes: READ }, person);
  await revoke(person, key!.id);
}

async function revoke(person: CallOptions, keyId: string): Promise<void> {
  await fixture.web.revokeKey({ selector: { case: "keyId", value: keyId } }, person);
}

async function ageKeys(accountId: string, interval: string): Promise<void> {
  await fixture.database.query(sql`
    update api_keys set created_at = created_at - ${interval}::interval
    where account_id = ${accountId}
  `);
}

describe("creating, using and revoking keys in a loop", () => {
  test("is limited to 20 keys in 24 hours, replacements included, and says when to retry", async () => {
    const accountId = await makeAccount(fixture);
    const person = asPerson(accountId);
    for (let count = 0; count < 18; count += 1) await createAndRevoke(person);
    await ageKeys(accountId, "23 hours");
    const { key } = await fixture.web.createKey({ scopes: READ }, person);
    const rotated = await fixture.web.rotateKey({ keyId: key!.id }, person);
    const creation = fixture.web.createKey({ scopes: READ }, person);
    await expect(creation).rejects.toMatchObject(limitReached);
    const refusal: unknown = await creation.catch((error: unknown) => error);
    const { retryAfterMs } = refusal as { retryAfterMs: number };
    expect(retryAfterMs).toBeGreaterThan(59 * 60_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60 * 60_000);
    const rotation = fixture.web.rotateKey({ keyId: rotated.key!.id }, person);
    await expect(rotation).rejects.toMatchObject(limitReached);
    expect(await outcomesOf(fixture, rotated.apiKey)).toEqual(["principal"]);
    await ageKeys(accountId, "1 hour");
    await createAndRevoke(person);
  });

  test("is limited for concurrent requests too", async () => {
    const accountId = await makeAccount(fixture);
    const person = asPerson(accountId);
    for (let count = 0; count < 17; count += 1) await createAndRevoke(person);
    const creations = await Promise.allSettled(
      Array.from({ length: 8 }, () => fixture.web.createKey({ scopes: READ }, person)),
    );
    expect(creations.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  });

  test("is limited for each account separately, and not for operators", async () => {
    const accountId = await makeAccount(fixture);
    for (let count = 0; count < 20; count += 1) await createAndRevoke(asPerson(accountId));
    await createAndRevoke(asPerson(await makeAccount(fixture)));
    expect((await fixture.admin.createKey({ accountId, scopes: READ }, CALL)).key).toBeDefined();
  });
});

describe("a creation id", () => {
  test("creates one key when sent several times concurrently", async () => {
    const person = asPerson(await makeAccount(fixture));
    const request = { scopes: READ, creationId: randomUUID() };
    const creations = await Promise.allSettled(
      [1, 2, 3, 4].map(() => fixture.web.createKey(request, person)),
    );
    expect(creations.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const again = fixture.web.createKey(request, person);
    await expect(again).rejects.toMatchObject({ reason: "KEY_ALREADY_CREATED" });
    expect((await fixture.web.listKeys({}, person)).keys).toHaveLength(1);
  });

  test("stays used when its key is revoked, and is independent of other accounts", async () => {
    const person = asPerson(await makeAccount(fixture));
    const request = { scopes: READ, creationId: randomUUID() };
    const { key } = await fixture.web.createKey(request, person);
    await revoke(person, key!.id);
    const again = fixture.web.createKey(request, person);
    await expect(again).rejects.toMatchObject({ reason: "KEY_ALREADY_CREATED" });
    const other = asPerson(await makeAccount(fixture));
    expect((await fixture.web.createKey(request, other)).key).toBeDefined();
  });

  test("must be a UUID", async () => {
    const person = asPerson(await makeAccount(fixture));
    const creation = fixture.web.createKey({ scopes: READ, creationId: "again" }, person);
    await expect(creation).rejects.toMatchObject({ reason: "INVALID_ID" });
  });
});

test("keeps the newest 200 ended keys, and all active ones", async () => {
  const accountId = await makeAccount(fixture);
  const person = asPerson(accountId);
  const { key: old } = await fixture.web.createKey({ scopes: READ }, person);
  const successor = await fixture.web.rotateKey({ keyId: old!.id }, person);
  await fixture.database.query(sql`
    insert into api_keys (
      id, account_id, public_id, prefix, hash, pepper_version, scopes, created_at, revoked_at
    )
    select gen_random_uuid(), ${accountId}, 'old' || n || ${accountId}, 'service_live_x',
      sha256(n::text::bytea), 1, '{service.read}', now() - interval '2 days', now()
    from generate_series(1, 250) n
  `);
  await fixture.web.createKey({ scopes: READ }, person);
  const rows = await fixture.database.query<{ live: number; ended: number }>(sql`
    select count(*) filter (where slot is not null)::int as live,
      count(*) filter (where slot is null)::int as ended
    from api_keys where account_id = ${accountId}
  `);
  expect(rows).toEqual([{ live: 2, ended: 200 }]);
  expect(await outcomesOf(fixture, successor.apiKey)).toEqual(["principal"]);
});

describe("connections", () => {
  const connect = (person: CallOptions, clientId: string = randomUUID()) =>
    fixture.web.putGrant({ clientId, scopes: READ }, person);

  async function insertGrants(accountId: string, count: number, isRevoked: boolean) {
    await fixture.database.query(sql`
      insert into grants (
        id, account_id, client_id, client_name, redirect_host, scopes, granted_at, revoked_at
      )
      select gen_random_uuid(), ${accountId}, 'client-' || ${isRevoked}::text || n, '', '',
        '{service.read}', clock_timestamp() - interval '1 hour',
        case when ${isRevoked} then clock_timestamp() - make_interval(mins => n) end
      from generate_series(1, ${count}::int) n
    `);
  }

  async function countGrants(accountId: string): Promise<number> {
    const rows = await fixture.database.query(sql`
      select from grants where account_id = ${accountId}
    `);
    return rows.length;
  }

  test("are at most 50, also for clients that connect concurrently", async () => {
    const accountId = await makeAccount(fixture);
    const person = asPerson(accountId);
    await insertGrants(accountId, 47, false);
    const attempts = await Promise.allSettled(Array.from({ length: 6 }, () => connect(person)));
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    const reason = "CONNECTION_LIMIT_REACHED";
    await expect(connect(person)).rejects.toMatchObject({ reason });
    expect((await connect(person, "client-false1")).grant).toBeDefined();
    await fixture.web.revokeGrant({ clientId: "client-false2" }, person);
    expect((await connect(person)).grant).toBeDefined();
  });

  test("are forgotten once revoked, except for the newest 100", async () => {
    const accountId = await makeAccount(fixture);
    await insertGrants(accountId, 140, true);
    await connect(asPerson(accountId));
    expect(await countGrants(accountId)).toBe(101);
  });

  test("are kept until deleted at the provider, up to a bound", async () => {
    const accountId = await makeAccount(fixture);
    await insertGrants(accountId, 150, true);
    await fixture.database.query(sql`
      insert into upstream_deletions (id, account_id, client_id, due_at, created_at)
      select gen_random_uuid(), account_id, client_id, now(), now()
      from grants where account_id = ${accountId}
    `);
    const reason = "CONNECTIONS_BEING_DELETED";
    await expect(connect(asPerson(accountId))).rejects.toMatchObject({ reason });
    expect(await countGrants(accountId)).toBe(150);
  });
});
