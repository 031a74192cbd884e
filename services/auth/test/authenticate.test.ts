import { generateApiKey } from "@nutrition/core/api-key";
import { Database } from "@nutrition/postgres/database";
import type { Statement } from "@nutrition/postgres/sql";
import { sql } from "@nutrition/postgres/sql";
import { CredentialKind, RefusalReason } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Fixture } from "./fixture.ts";
import { CALL, asPerson, makeAccount, makeKey, startFixture } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

async function outcomeOf(apiKey: string, clientIp = "") {
  return (await fixture.gateway.authenticate({ apiKey, clientIp }, CALL)).outcome;
}

const refused = (value: RefusalReason) => ({ case: "refusal", value });

test("a valid key returns the account, the key, its scopes and the entitlements", async () => {
  const accountId = await makeAccount(fixture, { isBetaTester: true });
  const scopes = ["service.read", "nutrition.write"];
  const { apiKey, key } = await fixture.web.createKey({ scopes }, asPerson(accountId));
  expect(await outcomeOf(apiKey)).toMatchObject({
    case: "principal",
    value: {
      accountId,
      credentialKind: CredentialKind.API_KEY,
      credentialId: key!.id,
      scopes,
      hasPremium: false,
      isBetaTester: true,
    },
  });
});

test("a wrong form, checksum, id or secret cannot be told apart", async () => {
  const { id, apiKey } = await makeKey(fixture, await makeAccount(fixture));
  const wrongChecksum = apiKey.slice(0, -1) + (apiKey.endsWith("0") ? "1" : "0");
  const unknown = generateApiKey().text;
  const wrongSecret = generateApiKey();
  await fixture.database.query(sql`
    update api_keys set public_id = ${wrongSecret.publicId} where id = ${id}
  `);
  const texts = ["", "nonsense", "x".repeat(9_999), wrongChecksum, unknown, wrongSecret.text];
  const outcomes = await Promise.all(texts.map((text) => outcomeOf(text)));
  expect(outcomes).toEqual(texts.map(() => refused(RefusalReason.INVALID)));
});

/** Counts executed statements. */
class CountingDatabase extends Database {
  statements = 0;

  override query<Row>(statement: Statement): Promise<Row[]> {
    this.statements += 1;
    return super.query<Row>(statement);
  }
}

async function startCounted() {
  const opened: CountingDatabase[] = [];
  const own = await startFixture({
    openDatabase(url) {
      const database = new CountingDatabase({ url, schema: "auth" });
      opened.push(database);
      return database;
    },
  });
  const statementsFor = async (work: () => Promise<unknown>) => {
    const before = opened[0]!.statements;
    await work();
    return opened[0]!.statements - before;
  };
  return { own, statementsFor };
}

test("a key with a wrong form or checksum costs no lookup", async () => {
  const { own, statementsFor } = await startCounted();
  await using _ = own;
  const { text } = generateApiKey();
  const wrongChecksum = text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");
  const lookUpsFor = (apiKey: string) =>
    statementsFor(async () => {
      await own.gateway.authenticate({ apiKey }, CALL);
      await own.gateway.reportLeakedKey({ apiKey }, CALL);
    });
  expect(await lookUpsFor(wrongChecksum)).toBe(0);
  expect(await lookUpsFor("nonsense")).toBe(0);
  expect(await lookUpsFor(text)).toBe(2);
});

test("keys presented together share statements, and each gets its own answer", async () => {
  const { own, statementsFor } = await startCounted();
  await using _ = own;
  const keys = await Promise.all(
    Array.from({ length: 20 }, async () => makeKey(own, await makeAccount(own))),
  );
  const texts = keys.flatMap(({ apiKey }) => [apiKey, generateApiKey().text, apiKey]);
  const answers: unknown[] = [];
  const statements = await statementsFor(async () => {
    const asking = texts.map((apiKey) => own.gateway.authenticate({ apiKey }, CALL));
    for (const { outcome } of await Promise.all(asking)) answers.push(outcome);
  });
  const principal = (id: string) => ({ case: "principal", value: { credentialId: id } });
  expect(answers).toMatchObject(
    keys.flatMap(({ id }) => [principal(id), refused(RefusalReason.INVALID), principal(id)]),
  );
  expect(statements).toBeLessThan(texts.length / 2);
});

test("a revoked key is refused as revoked", async () => {
  const accountId = await makeAccount(fixture);
  const { id, apiKey } = await makeKey(fixture, accountId);
  const selector = { case: "keyId", value: id } as const;
  await fixture.web.revokeKey({ selector }, asPerson(accountId));
  expect(await outcomeOf(apiKey)).toEqual(refused(RefusalReason.REVOKED));
});

test("a key past its expiry is refused as expired", async () => {
  const { id, apiKey } = await makeKey(fixture, await makeAccount(fixture));
  await fixture.database.query(sql`
    update api_keys set expires_at = now() - interval '1 second' where id = ${id}
  `);
  expect(await outcomeOf(apiKey)).toEqual(refused(RefusalReason.EXPIRED));
});

test("a key that lost its slot is refused even if its expiry moves into the future", async () => {
  const { id, apiKey } = await makeKey(fixture, await makeAccount(fixture));
  await fixture.database.query(sql`
    update api_keys set slot = null, expires_at = now() + interval '1 day' where id = ${id}
  `);
  expect(await outcomeOf(apiKey)).toEqual(refused(RefusalReason.EXPIRED));
});

test("stores neither the key nor the client's address in readable form", async () => {
  const own = await startFixture();
  const { id, apiKey } = await makeKey(own, await makeAccount(own));
  await own.gateway.authenticate({ apiKey, clientIp: "203.0.113.77" }, CALL);
  await own.stop();
  const [row] = await own.database.query<{ whole: string; ip: Buffer; at: Date | null }>(sql`
    select api_keys::text as whole, last_ip_hash as ip, last_used_at as at
    from api_keys where id = ${id}
  `);
  expect(row!.whole).not.toContain(apiKey.slice(30));
  expect(row!.whole).not.toContain("203.0.113.77");
  expect(row!.ip).toHaveLength(32);
  expect(row!.whole).not.toContain(Buffer.from("203.0.113.77").toString("hex"));
  expect(row!.at).toEqual(own.clock.now());
  await own[Symbol.asyncDispose]();
});
