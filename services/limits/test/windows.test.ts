import { randomUUID } from "node:crypto";

import type { Duration } from "@bufbuild/protobuf/wkt";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { SubjectKind } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { ageSubject } from "@nutrition/test-support/aging";
import { afterAll, beforeAll, expect, test } from "vitest";

import { keySubject } from "../src/domain/usage.ts";
import { findFullestWindows } from "./oracle.ts";
import type { Instance, Setting } from "./setup.ts";
import { countKey, createSetting, newUser, shippedPolicies, startInstance } from "./setup.ts";

let setting: Setting;
let instance: Instance;

beforeAll(async () => {
  setting = await createSetting();
  instance = await startInstance(setting);
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
  await setting[Symbol.asyncDispose]();
});

test("request 121 is refused with the exact wait, even after a restart in between", async () => {
  const user = newUser();
  const subject = keySubject(user.credentialId);
  {
    await using before = await startInstance(setting);
    const gateway = before.as("gateway");
    for (let n = 0; n < 60; n += 1) await countKey(gateway, user);
  }
  await ageSubject(setting.test.database, subject, 1_000);
  await using after = await startInstance(setting);
  const gateway = after.as("gateway");
  const last = await Promise.all(Array.from({ length: 60 }, () => countKey(gateway, user)));
  expect(last.every(({ refusal }) => refusal === undefined)).toBe(true);

  const { refusal } = await countKey(gateway, user);

  expect(refusal).toMatchObject({ violated: ["key-hour"], used: 120, requested: 1 });
  const [row] = await setting.test.database.query<{ wait_ms: number }>({
    text: `select extract(epoch from min(at) + interval '1 hour' - clock_timestamp()) * 1000 as wait_ms
      from usage_events where subject = $1`,
    values: [subject],
  });
  const waitMs = durationMs(refusal?.retryAfter as Duration);
  expect(waitMs).toBeGreaterThan(row?.wait_ms ?? Infinity);
  expect(waitMs).toBeLessThan((row?.wait_ms ?? 0) + 1_000);
});

test("units become available when the oldest request leaves its window, not before", async () => {
  const user = newUser();
  const subject = keySubject(user.credentialId);
  await using first = await startInstance(setting);
  await countKey(first.as("gateway"), user);
  await ageSubject(setting.test.database, subject, 60);
  for (let n = 0; n < 119; n += 1) await countKey(first.as("gateway"), user);

  await ageSubject(setting.test.database, subject, 3_500);
  await using second = await startInstance(setting);
  expect((await countKey(second.as("gateway"), user)).refusal).toBeDefined();

  await ageSubject(setting.test.database, subject, 41);
  await using third = await startInstance(setting);
  const gateway = third.as("gateway");
  expect((await countKey(gateway, user)).refusal).toBeUndefined();
  expect((await countKey(gateway, user)).refusal).toBeDefined();
  const windows = await findFullestWindows(setting.test.database, shippedPolicies.all);
  expect(windows.find((window) => window.subject === subject)?.units).toBe(120);
});

test("the units of one call are all allowed or all refused", async () => {
  const user = newUser();
  const gateway = instance.as("gateway");
  for (let n = 0; n < 5; n += 1) await countKey(gateway, user, 20);
  await countKey(gateway, user, 10);

  const { refusal, policies } = await countKey(gateway, user, 20);

  expect(refusal).toMatchObject({ used: 110, requested: 20 });
  expect(policies).toMatchObject([{ name: "key-hour", remaining: 10 }]);
  expect((await countKey(gateway, user, 10)).refusal).toBeUndefined();
});

test("remaining units include those that have left the window", async () => {
  const user = newUser();
  for (let n = 0; n < 10; n += 1) await countKey(instance.as("gateway"), user);
  await ageSubject(setting.test.database, keySubject(user.credentialId), 3_601);
  await using later = await startInstance(setting);

  const { policies } = await countKey(later.as("gateway"), user);

  expect(policies).toMatchObject([{ max: 120, windowSeconds: 3_600, remaining: 119 }]);
});

test("a connector is limited per user and client to 240 requests an hour", async () => {
  const gateway = instance.as("gateway");
  const count = (user: ReturnType<typeof newUser>, credentialId: string) =>
    gateway.count(
      { requestId: randomUUID(), subjectKind: SubjectKind.CONNECTOR, credentialId, cost: 20 },
      { timeoutMs: 5_000, user },
    );
  const user = newUser();
  for (let n = 0; n < 12; n += 1) await count(user, "assistant");

  expect((await count(user, "assistant")).refusal).toMatchObject({ violated: ["connector-hour"] });
  expect((await count(user, "other")).refusal).toBeUndefined();
  expect((await count(newUser(), "assistant")).refusal).toBeUndefined();
});

test.each([
  ["cost", { cost: 0 }],
  ["cost", { cost: 21 }],
  ["credential_id", { credentialId: "not-a-uuid" }],
  ["credential_id", { credentialId: "" }],
  ["request_id", { requestId: "nul\0" }],
  ["subject_kind", { subjectKind: SubjectKind.UNSPECIFIED }],
])("names an invalid %s", async (field, change) => {
  const user = newUser();
  const request = {
    requestId: randomUUID(),
    subjectKind: SubjectKind.API_KEY,
    credentialId: user.credentialId,
    cost: 1,
    ...change,
  };
  const answer = instance.as("gateway").count(request, { timeoutMs: 5_000, user });
  await expect(answer).rejects.toMatchObject({
    kind: "invalid_argument",
    message: expect.stringContaining(field),
  });
});

test("only the gateway may count, and only for a user", async () => {
  const user = newUser();
  await expect(countKey(instance.as("web"), user)).rejects.toMatchObject({
    kind: "permission_denied",
  });
  const anonymous = instance.as("gateway").count({ cost: 1 }, { timeoutMs: 5_000 });
  await expect(anonymous).rejects.toMatchObject({ kind: "permission_denied" });
});
