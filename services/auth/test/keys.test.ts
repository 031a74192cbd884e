import { randomUUID } from "node:crypto";

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { violatedConstraint } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, expect, test } from "vitest";

import { listKeys } from "../src/store/key-store.ts";
import type { Fixture } from "./fixture.ts";
import {
  CALL,
  accountWithKeys,
  activeKeyIds,
  asPerson,
  makeAccount,
  makeKey,
  outcomesOf,
  startFixture,
} from "./fixture.ts";

const READ = ["service.read"];

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

test("creates a key with its name, scopes, expiry and a prefix of its text", async () => {
  const accountId = await makeAccount(fixture);
  const expiresAt = timestampFromDate(new Date(fixture.clock.now().getTime() + 86_400_000));
  const { apiKey, key } = await fixture.web.createKey(
    { name: " laptop ", scopes: ["nutrition.write", "service.read"], expiresAt },
    asPerson(accountId),
  );
  expect(key).toMatchObject({
    accountId,
    name: "laptop",
    scopes: ["service.read", "nutrition.write"],
    expiresAt,
    successorId: "",
  });
  expect(key!.revokedAt ?? key!.lastUsedAt).toBeUndefined();
  expect(apiKey.startsWith(key!.prefix)).toBe(true);
  expect(apiKey.split("_")[2]).toBe(key!.publicId);
});

test("names an unknown scope, a past expiry or an unknown account", async () => {
  const { web, admin, clock } = fixture;
  const person = asPerson(await makeAccount(fixture));
  await expect(web.createKey({ scopes: ["nutrition.write"] }, person)).rejects.toMatchObject({
    kind: "invalid_argument",
    reason: "INVALID_SCOPES",
  });
  const expiresAt = timestampFromDate(clock.now());
  await expect(web.createKey({ scopes: READ, expiresAt }, person)).rejects.toMatchObject({
    reason: "EXPIRY_IN_PAST",
  });
  const accountId = randomUUID();
  await expect(admin.createKey({ accountId, scopes: READ }, CALL)).rejects.toMatchObject({
    kind: "not_found",
    reason: "ACCOUNT_NOT_FOUND",
  });
});

test("refuses an eleventh active key until one is revoked", async () => {
  const { accountId, keys } = await accountWithKeys(fixture, 10);
  const person = asPerson(accountId);
  await expect(fixture.web.createKey({ scopes: READ }, person)).rejects.toMatchObject({
    kind: "failed_precondition",
    reason: "KEY_LIMIT_REACHED",
  });
  const selector = { case: "publicId", value: keys[3]!.publicId } as const;
  await fixture.web.revokeKey({ selector }, person);
  await expect(fixture.web.createKey({ scopes: READ }, person)).resolves.toBeDefined();
});

test("concurrent creations beside nine keys create exactly one", async () => {
  const { accountId } = await accountWithKeys(fixture, 9);
  const attempts = Array.from({ length: 6 }, () =>
    fixture.web.createKey({ scopes: READ }, asPerson(accountId)),
  );
  const outcomes = await Promise.allSettled(attempts);
  const refusals = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refusals.map(({ reason }) => reason.reason)).toEqual(
    Array.from({ length: 5 }, () => "KEY_LIMIT_REACHED"),
  );
  expect(await activeKeyIds(fixture, accountId)).toHaveLength(10);
});

test("the database itself refuses an eleventh active key", async () => {
  const { accountId, keys } = await accountWithKeys(fixture, 10);
  const insertInSlot = (slot: number) =>
    fixture.database.query(sql`
      insert into api_keys
        (id, account_id, public_id, prefix, hash, pepper_version, scopes, slot)
      select ${randomUUID()}, ${accountId}, ${randomUUID()}, prefix, hash, 1, scopes, ${slot}
      from api_keys where id = ${keys[0]!.id}
    `);
  const constraintOf = (slot: number) => insertInSlot(slot).catch(violatedConstraint);
  expect(await constraintOf(10)).toBe("api_keys_slot_unique");
  expect(await constraintOf(11)).toBe("api_keys_slot_range");
});

test("an expired key occupies no slot", async () => {
  const { accountId, keys } = await accountWithKeys(fixture, 10);
  await fixture.database.query(sql`
    update api_keys set expires_at = now() - interval '1 second' where id = ${keys[5]!.id}
  `);
  await makeKey(fixture, accountId);
  expect(await activeKeyIds(fixture, accountId)).toHaveLength(10);
});

test("revoking a key twice keeps the time of the first revocation", async () => {
  const { accountId, keys } = await accountWithKeys(fixture, 1);
  const request = { selector: { case: "keyId", value: keys[0]!.id } } as const;
  const first = await fixture.web.revokeKey(request, asPerson(accountId));
  const second = await fixture.web.revokeKey(request, asPerson(accountId));
  expect(first.key!.revokedAt).toBeDefined();
  expect(second.key).toEqual(first.key);
});

test("lists keys newest first, ended ones only on request", async () => {
  const accountId = await makeAccount(fixture);
  const older = await makeKey(fixture, accountId);
  const newer = await makeKey(fixture, accountId);
  expect(await activeKeyIds(fixture, accountId)).toEqual([newer.id, older.id]);
  const selector = { case: "keyId", value: newer.id } as const;
  await fixture.web.revokeKey({ selector }, asPerson(accountId));
  expect(await activeKeyIds(fixture, accountId)).toEqual([older.id]);
  const all = await fixture.web.listKeys({ includeInactive: true }, asPerson(accountId));
  expect(all.keys.map((key) => key.id)).toEqual([newer.id, older.id]);
});

test("nobody can see, rotate or revoke another person's keys", async () => {
  const { accountId, keys } = await accountWithKeys(fixture, 1);
  const stranger = asPerson(await makeAccount(fixture));
  const [{ id, apiKey }] = keys as [(typeof keys)[0]];
  const selector = { case: "keyId", value: id } as const;
  const { web } = fixture;
  await expect(web.revokeKey({ selector }, stranger)).rejects.toMatchObject({ kind: "not_found" });
  await expect(web.rotateKey({ keyId: id }, stranger)).rejects.toMatchObject({ kind: "not_found" });
  const denied = { kind: "permission_denied", reason: "NOT_YOUR_ACCOUNT" };
  await expect(web.listKeys({ accountId }, stranger)).rejects.toMatchObject(denied);
  await expect(web.revokeKey({ accountId, selector }, stranger)).rejects.toMatchObject(denied);
  await expect(web.rotateKey({ accountId, keyId: id }, stranger)).rejects.toMatchObject(denied);
  await expect(web.createKey({ accountId, scopes: READ }, stranger)).rejects.toMatchObject(denied);
  expect((await web.listKeys({}, stranger)).keys).toEqual([]);
  expect(await outcomesOf(fixture, apiKey)).toEqual(["principal"]);
});

test("shows uses from one address as one network, and from another as another", async () => {
  const own = await startFixture();
  const { accountId, keys } = await accountWithKeys(own, 3);
  const ips = ["203.0.113.77", "203.0.113.77", "2001:db8::1"];
  const uses = keys.map(({ apiKey }, at) =>
    own.gateway.authenticate({ apiKey, clientIp: ips[at]! }, CALL),
  );
  await Promise.all(uses);
  await own.stop();
  const listed = await listKeys(own.database, accountId, { includeInactive: false, limit: 9 });
  const [one, same, other] = keys.map(
    ({ id }) => listed.find((key) => key.id === id)!.lastUsedNetwork,
  );
  expect(one).toMatch(/^[0-9a-f]{12}$/);
  expect(same).toBe(one);
  expect(other).not.toBe(one);
  await own[Symbol.asyncDispose]();
});

test("renames a key of the account, and no other account's", async () => {
  const accountId = await makeAccount(fixture);
  const { key } = await fixture.web.createKey({ name: "old", scopes: READ }, asPerson(accountId));
  const rename = (name: string, person: string) =>
    fixture.web.renameKey({ keyId: key!.id, name }, asPerson(person));
  expect((await rename(" new ", accountId)).key).toMatchObject({ id: key!.id, name: "new" });
  const stranger = await makeAccount(fixture);
  await expect(rename("stolen", stranger)).rejects.toMatchObject({ reason: "KEY_NOT_FOUND" });
  await expect(rename("two\nlines", accountId)).rejects.toMatchObject({
    reason: "INVALID_KEY_NAME",
  });
  const [listed] = await listKeys(fixture.database, accountId, { includeInactive: true, limit: 9 });
  expect(listed!.name).toBe("new");
});
