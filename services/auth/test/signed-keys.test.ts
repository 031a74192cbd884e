import { randomBytes, randomUUID } from "node:crypto";

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { parseApiKey } from "@nutrition/core/api-key";
import { uuidBytes } from "@nutrition/core/ids";
import { KeyVerifier } from "@nutrition/core/key-signing";
import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Fixture } from "./fixture.ts";
import {
  CALL,
  accountWithKeys,
  asPerson,
  makeAccount,
  outcomesOf,
  startFixture,
  tailOf,
  tailsIn,
} from "./fixture.ts";

const SECRETS = new Map([[1, randomBytes(32)]]);
const verifier = new KeyVerifier(SECRETS);

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({ signingSecrets: SECRETS });
});
afterAll(() => fixture[Symbol.asyncDispose]());

const claimsOf = (text: string) => verifier.verify(parseApiKey(text)!);

/** Tails of all keys that the gateway reads from the beginning. */
async function changedKeys(): Promise<string[]> {
  const { keyTails, hasMore } = await fixture.gateway.listChangedKeys({}, CALL);
  expect(hasMore).toBe(false);
  return tailsIn(keyTails);
}

test("the text of a new key, and of its successor, says whose it is and what it may do", async () => {
  const accountId = await makeAccount(fixture);
  const person = asPerson(accountId);
  const scopes = ["service.read", "nutrition.write"];
  const expiresAt = new Date("2036-01-01T00:00:00Z");
  const request = { scopes, expiresAt: timestampFromDate(expiresAt) };
  const { apiKey, key } = await fixture.web.createKey(request, person);
  expect(claimsOf(apiKey)).toEqual({ keyId: key!.id, accountId, scopes, expiresAt });
  const endless = await fixture.web.createKey({ scopes: ["service.read"] }, person);
  const rotated = await fixture.web.rotateKey({ keyId: endless.key!.id }, person);
  expect(claimsOf(rotated.apiKey)).toEqual({
    keyId: rotated.key!.id,
    accountId,
    scopes: ["service.read"],
    expiresAt: null,
  });
  expect(await outcomesOf(fixture, apiKey, rotated.apiKey)).toEqual(["principal", "principal"]);
});

test("without a signing secret, keys have no claims and are looked up", async () => {
  await using unsigned = await startFixture({ signingSecrets: null });
  const { accountId, keys } = await accountWithKeys(unsigned, 1);
  const [{ id, apiKey }] = keys as [(typeof keys)[0]];
  expect(apiKey).toMatch(/^service_live_[0-9A-Za-z]{16}_[0-9A-Za-z]{49}$/);
  expect(await outcomesOf(unsigned, apiKey)).toEqual(["principal"]);
  await unsigned.web.revokeKey({ selector: { case: "keyId", value: id } }, asPerson(accountId));
  expect((await unsigned.gateway.listChangedKeys({}, CALL)).keyTails).toHaveLength(0);
});

interface Change {
  accountId: string;
  id: string;
  apiKey: string;
}

const update = (set: string) => (key: Change) =>
  fixture.database.query({ text: `update api_keys set ${set} where id = $1`, values: [key.id] });
const rotate = (overlapSeconds: number) => (key: Change) =>
  fixture.web.rotateKey({ keyId: key.id, overlapSeconds }, asPerson(key.accountId));

test.each<[string, (key: Change) => Promise<unknown>]>([
  [
    "revoked",
    ({ id, accountId }) =>
      fixture.web.revokeKey({ selector: { case: "keyId", value: id } }, asPerson(accountId)),
  ],
  ["replaced", rotate(0)],
  ["replaced with an overlap", rotate(60)],
  ["reported as leaked", ({ apiKey }) => fixture.gateway.reportLeakedKey({ apiKey }, CALL)],
  ["of an erased account", ({ accountId }) => fixture.admin.eraseAccount({ accountId }, CALL)],
  ["made to expire by an operator", update("expires_at = now() + interval '1 hour'")],
  ["without a slot", update("slot = null, expires_at = now()")],
  ["with other permissions", update("scopes = '{service.read,nutrition.write}'")],
  [
    "of another account",
    update("account_id = (select min(id::text)::uuid from accounts), slot = 10"),
  ],
])("a key that is %s is listed as changed", async (_, change) => {
  await makeAccount(fixture);
  const { accountId, keys } = await accountWithKeys(fixture, 2);
  const [changed, other] = keys.map((key): Change => ({ ...key, accountId }));
  await change(changed!);
  const listed = await changedKeys();
  expect(listed).toContain(tailOf(changed!.id));
  const isErased = (await outcomesOf(fixture, other!.apiKey))[0] === "refusal";
  expect(listed.includes(tailOf(other!.id))).toBe(isErased);
});

test("a key that is used or renamed is not listed", async () => {
  const { accountId, keys } = await accountWithKeys(fixture, 1);
  const [{ id }] = keys as [(typeof keys)[0]];
  await fixture.web.renameKey({ keyId: id, name: "phone" }, asPerson(accountId));
  await update("last_used_at = now()")({ id, accountId, apiKey: "" });
  expect(await changedKeys()).not.toContain(tailOf(id));
});

test("uses that a gateway reports are stored like those that it asks about", async () => {
  const own = await startFixture();
  const { keys } = await accountWithKeys(own, 3);
  const [asked, reported, old] = keys as [(typeof keys)[0], (typeof keys)[0], (typeof keys)[0]];
  const clientIp = "203.0.113.77";
  await own.gateway.authenticate({ apiKey: asked.apiKey, clientIp }, CALL);
  const uses = [
    { keyId: uuidBytes(reported.id), ageMs: 2_000, clientIp },
    { keyId: uuidBytes(old.id), ageMs: 4_000_000_000, clientIp: "" },
    { keyId: uuidBytes(randomUUID()), ageMs: 0, clientIp },
    { keyId: randomBytes(15), ageMs: 0, clientIp },
  ];
  await own.gateway.recordKeyUses({ uses }, CALL);
  await own.stop();
  const rows = await own.database.query<{ id: string; at: Date; ip: Buffer | null }>(sql`
    select id, last_used_at as at, last_ip_hash as ip from api_keys order by id`);
  const nowMs = own.clock.now().getTime();
  const [first, second, third] = [asked, reported, old].map(({ id }) =>
    rows.find((row) => row.id === id),
  );
  expect(first).toMatchObject({ at: new Date(nowMs) });
  expect(second).toMatchObject({ at: new Date(nowMs - 2_000), ip: first!.ip });
  expect(third).toMatchObject({ at: new Date(nowMs - 60_000), ip: null });
  await own[Symbol.asyncDispose]();
});

test("at most 1,000 uses are reported at once", async () => {
  const uses = Array.from({ length: 1_001 }, () => ({ keyId: randomBytes(16) }));
  await expect(fixture.gateway.recordKeyUses({ uses }, CALL)).rejects.toMatchObject({
    reason: "TOO_MANY_USES",
  });
});
