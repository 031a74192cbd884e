import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Fixture } from "./fixture.ts";
import {
  accountWithKeys,
  activeKeyIds,
  asPerson,
  makeAccount,
  outcomesOf,
  startFixture,
} from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

test("a rotation with an overlap leaves both keys active until the overlap ends", async () => {
  const { accountId, keys } = await accountWithKeys(fixture, 1);
  const request = { keyId: keys[0]!.id, overlapSeconds: 3_600 };
  const rotated = await fixture.web.rotateKey(request, asPerson(accountId));
  expect(await outcomesOf(fixture, keys[0]!.apiKey, rotated.apiKey)).toEqual([
    "principal",
    "principal",
  ]);
  expect(rotated.predecessor).toMatchObject({ id: keys[0]!.id, successorId: rotated.key!.id });
  const endsInMs = timestampDate(rotated.predecessor!.expiresAt!).getTime() - Date.now();
  expect(Math.abs(endsInMs - 3_600_000)).toBeLessThan(10_000);
  expect(await activeKeyIds(fixture, accountId)).toHaveLength(2);
});

test.each([
  { keys: 1, overlapSeconds: 0, when: "without overlap" },
  { keys: 10, overlapSeconds: 3_600, when: "with ten active keys" },
])("a rotation $when ends the old key immediately", async ({ keys: count, overlapSeconds }) => {
  const { accountId, keys } = await accountWithKeys(fixture, count);
  const request = { keyId: keys[0]!.id, overlapSeconds };
  const rotated = await fixture.web.rotateKey(request, asPerson(accountId));
  expect(rotated.predecessor!.revokedAt).toBeDefined();
  expect(await outcomesOf(fixture, keys[0]!.apiKey, rotated.apiKey)).toEqual([
    "refusal",
    "principal",
  ]);
  expect(await activeKeyIds(fixture, accountId)).toHaveLength(count);
});

test("the new key has the name, scopes and lifetime of the old one", async () => {
  const accountId = await makeAccount(fixture);
  const dayMs = 86_400_000;
  const expiresAt = timestampFromDate(new Date(Date.now() + 30 * dayMs));
  const requested = { name: "phone", scopes: ["service.read", "nutrition.write"], expiresAt };
  const { key } = await fixture.web.createKey(requested, asPerson(accountId));
  fixture.clock.advance(10 * dayMs);
  const rotated = await fixture.web.rotateKey({ keyId: key!.id }, asPerson(accountId));
  expect(rotated.key).toMatchObject({ name: "phone", scopes: requested.scopes });
  const laterMs =
    timestampDate(rotated.key!.expiresAt!).getTime() - timestampDate(expiresAt).getTime();
  expect(Math.abs(laterMs - 10 * dayMs)).toBeLessThan(60_000);
});

test("a replaced or ended key cannot be rotated", async () => {
  const { accountId, keys } = await accountWithKeys(fixture, 1);
  const request = { keyId: keys[0]!.id, overlapSeconds: 60 };
  await fixture.web.rotateKey(request, asPerson(accountId));
  const again = fixture.web.rotateKey(request, asPerson(accountId));
  await expect(again).rejects.toMatchObject({ reason: "KEY_ALREADY_ROTATED" });
  const selector = { case: "keyId", value: request.keyId } as const;
  await fixture.web.revokeKey({ selector }, asPerson(accountId));
  const ended = fixture.web.rotateKey(request, asPerson(accountId));
  await expect(ended).rejects.toMatchObject({ reason: "KEY_NOT_ACTIVE" });
});

test("concurrent rotations of one key create one new key", async () => {
  const { accountId, keys } = await accountWithKeys(fixture, 1);
  const request = { keyId: keys[0]!.id, overlapSeconds: 60 };
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map(() => fixture.web.rotateKey(request, asPerson(accountId))),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await activeKeyIds(fixture, accountId)).toHaveLength(2);
});
