import { afterAll, beforeAll, expect, test } from "vitest";

import type { Fixture } from "./fixture.ts";
import { CALL, accountWithKeys, asPerson, outcomesOf, startFixture } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

test("revokes a reported key once, and keeps its text out of the log", async () => {
  const { keys } = await accountWithKeys(fixture, 1);
  const { apiKey } = keys[0]!;
  const report = { apiKey: ` ${apiKey}\n`, foundAt: `https://example.com/paste?k=${apiKey}` };
  expect((await fixture.gateway.reportLeakedKey(report, CALL)).revoked).toBe(true);
  expect((await fixture.gateway.reportLeakedKey(report, CALL)).revoked).toBe(false);
  expect(await outcomesOf(fixture, apiKey)).toEqual(["refusal"]);
  const log = fixture.logged.join("\n");
  expect(log).toContain("https://example.com/paste?k=service_live_…");
  expect(log).not.toContain(apiKey.slice(30));
});

test("stores the first report of a key: its time, and where the key was found", async () => {
  const { accountId, keys } = await accountWithKeys(fixture, 1);
  const { apiKey } = keys[0]!;
  const listed = async () =>
    (await fixture.admin.listKeys({ accountId, includeInactive: true }, CALL)).keys[0]!;
  expect((await listed()).leakReportedAt).toBeUndefined();
  const foundAt = `paste\u0000\n${"x".repeat(600)}`;
  await fixture.gateway.reportLeakedKey({ apiKey, foundAt }, CALL);
  const first = await listed();
  expect(first.leakReportedAt).toBeDefined();
  expect(first.leakLocation).toBe(`paste\ufffd\ufffd${"x".repeat(493)}`);
  await fixture.gateway.reportLeakedKey({ apiKey, foundAt: "elsewhere" }, CALL);
  expect(await listed()).toEqual(first);
});

test("shows control characters in the place where a key was found, in the list and in the log", async () => {
  const { accountId, keys } = await accountWithKeys(fixture, 1);
  const { apiKey } = keys[0]!;
  const foundAt = "a\u001b[2Jb\u009bc\u202ed\u2067e\u200ff\u2028g\u0000h";
  await fixture.gateway.reportLeakedKey({ apiKey, foundAt }, CALL);
  const [key] = (await fixture.admin.listKeys({ accountId, includeInactive: true }, CALL)).keys;
  const shown = "a\ufffd[2Jb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg\ufffdh";
  expect(key!.leakLocation).toBe(shown);
  expect(fixture.logged.join("\n")).toContain(shown);
});

test("keeps the revocation time of a key that was reported later", async () => {
  const { accountId, keys } = await accountWithKeys(fixture, 1);
  const { id, apiKey } = keys[0]!;
  const selector = { case: "keyId", value: id } as const;
  const { key: revoked } = await fixture.web.revokeKey({ selector }, asPerson(accountId));
  expect((await fixture.gateway.reportLeakedKey({ apiKey }, CALL)).revoked).toBe(false);
  const { key } = await fixture.web.revokeKey({ selector }, asPerson(accountId));
  expect(key!.revokedAt).toEqual(revoked!.revokedAt);
  expect(key!.leakReportedAt).toBeDefined();
});

test("a report with only the public part right revokes nothing", async () => {
  const { keys } = await accountWithKeys(fixture, 1);
  const { apiKey, publicId } = keys[0]!;
  const report = { apiKey: `service_live_${publicId}_${"a".repeat(49)}` };
  expect((await fixture.gateway.reportLeakedKey(report, CALL)).revoked).toBe(false);
  expect(await outcomesOf(fixture, apiKey)).toEqual(["principal"]);
});
