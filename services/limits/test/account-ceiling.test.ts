import { randomUUID } from "node:crypto";

import type { UserIdentity } from "@nutrition/core/user-identity";
import { SubjectKind } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { ageSubject } from "@nutrition/test-support/aging";
import { afterAll, beforeAll, expect, test } from "vitest";

import { keySubject } from "../src/domain/usage.ts";
import { findExcess } from "./oracle.ts";
import type { Instance, Setting } from "./setup.ts";
import { countKey, createSetting, newUser, shippedPolicies, startInstance } from "./setup.ts";

let setting: Setting;
let instances: [Instance, Instance];

beforeAll(async () => {
  setting = await createSetting();
  instances = [await startInstance(setting), await startInstance(setting)];
});

afterAll(async () => {
  for (const instance of instances) await instance[Symbol.asyncDispose]();
  await setting[Symbol.asyncDispose]();
});

const gateways = () => instances.map((instance) => instance.as("gateway"));
const withNewKey = (user: UserIdentity): UserIdentity => ({ ...user, credentialId: randomUUID() });

/** Uses up keys of an account one after another, over both instances; each allows 120 requests. */
async function useKeys(user: UserIdentity, count: number): Promise<UserIdentity[]> {
  const clients = gateways();
  const keys = Array.from({ length: count }, () => withNewKey(user));
  for (const key of keys) {
    for (let n = 0; n < 6; n += 1) {
      const { refusal } = await countKey(clients[n % clients.length]!, key, 20);
      expect(refusal).toBeUndefined();
    }
  }
  return keys;
}

test("new keys never allow an account more than 3,000 requests an hour, even over two instances", async () => {
  const user = newUser();
  const keys = await useKeys(user, 25);
  const fresh = withNewKey(user);
  for (const gateway of gateways()) {
    const { refusal, policies, receipt } = await countKey(gateway, fresh);
    expect(refusal).toMatchObject({
      violated: ["account-hour"],
      deciding: { name: "account-hour", max: 3_000, perAccount: true },
      used: 3_000,
      requested: 1,
    });
    expect(receipt).toBe("");
    expect(policies).toMatchObject([
      { name: "key-hour", remaining: 120, perAccount: false },
      { name: "account-hour", remaining: 0, perAccount: true },
    ]);
    const connector = { subjectKind: SubjectKind.CONNECTOR, credentialId: "assistant", cost: 1 };
    const request = { requestId: randomUUID(), ...connector };
    const answer = await gateway.count(request, { timeoutMs: 5_000, user });
    expect(answer.refusal).toMatchObject({ violated: ["account-hour"] });
    expect((await countKey(gateway, newUser())).refusal).toBeUndefined();
  }
  expect(await findExcess(setting.test.database, shippedPolicies.all)).toEqual([]);

  await ageSubject(setting.test.database, keySubject(keys[0]!.credentialId), 3_601);
  await using later = await startInstance(setting);
  for (let n = 0; n < 6; n += 1) {
    expect((await countKey(later.as("gateway"), fresh, 20)).refusal).toBeUndefined();
  }
  expect((await countKey(later.as("gateway"), withNewKey(user))).refusal).toMatchObject({
    violated: ["account-hour"],
  });
});

test("reports the account's ceiling only when it leaves less than the key's own limit", async () => {
  const user = newUser();
  const [gateway] = gateways();
  await useKeys(user, 23);
  const fresh = withNewKey(user);
  expect((await countKey(gateway!, fresh, 20)).policies).toMatchObject([{ name: "key-hour" }]);
  await useKeys(user, 1);
  expect((await countKey(gateway!, withNewKey(user), 20)).policies).toMatchObject([
    { name: "key-hour", remaining: 100 },
    { name: "account-hour", remaining: 80 },
  ]);
});

test("a refund returns units to the key and the account on every instance at once", async () => {
  const user = newUser();
  const [first, second] = gateways() as [ReturnType<Instance["as"]>, ReturnType<Instance["as"]>];
  const { receipt } = await countKey(first, user, 20);
  for (let n = 0; n < 5; n += 1) await countKey(second, user, 20);
  expect((await countKey(first, user, 20)).policies).toMatchObject([{ remaining: 0 }]);

  await second.refund({ receipts: [receipt] }, { timeoutMs: 5_000 });
  await second.refund({ receipts: [receipt] }, { timeoutMs: 5_000 });

  // A cached denial of the same question may outlive the refund, so this asks for 19 units, which
  // is new.
  expect((await countKey(first, user, 19)).refusal).toBeUndefined();
  expect((await countKey(second, user, 1)).refusal).toBeUndefined();
  expect((await countKey(first, user, 2)).refusal).toMatchObject({ used: 120 });
});
