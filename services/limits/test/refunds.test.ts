import { randomUUID } from "node:crypto";

import type { UserIdentity } from "@nutrition/core/user-identity";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Instance, Setting } from "./setup.ts";
import { callOf, countKey, createSetting, newUser, reserve, startInstance } from "./setup.ts";

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

const options = { timeoutMs: 5_000 };

/** Units of an account's requests in the log. */
async function counted({ credentialId }: UserIdentity): Promise<number> {
  const [row] = await setting.test.database.query<{ units: number }>({
    text: `select coalesce(sum(cost), 0)::int as units from usage_events
      where credential_id = $1 and state <> 'released'`,
    values: [credentialId],
  });
  return row?.units ?? -1;
}

test("a refund returns its request once, however often and with whatever other receipts it is sent", async () => {
  const gateway = instance.as("gateway");
  const user = newUser();
  const { receipt } = await countKey(gateway, user, 5);
  const { receipt: other } = await countKey(gateway, user, 3);
  await countKey(gateway, user, 2);

  await Promise.all([
    gateway.refund({ receipts: [receipt, receipt] }, options),
    gateway.refund({ receipts: [receipt, other] }, options),
    gateway.refund({ receipts: [other, receipt] }, options),
  ]);

  expect(await counted(user)).toBe(2);
});

test("a refused request has no receipt", async () => {
  const gateway = instance.as("gateway");
  const user = newUser();
  for (let n = 0; n < 6; n += 1) await countKey(gateway, user, 20);
  expect(await countKey(gateway, user)).toMatchObject({ receipt: "" });
});

test("a forged receipt refunds no write and no other request", async () => {
  const gateway = instance.as("gateway");
  const user = newUser();
  const { receipt } = await countKey(gateway, user, 4);
  const journal = instance.as("journal");
  const { outcome } = await reserve(journal, await callOf(setting, user));
  const [moment = "", accountId = ""] = receipt.split(".");
  const id = outcome.case === "reservation" ? outcome.value.id : "";
  const [row] = await setting.test.database.query<{ us: string }>({
    text: `select (extract(epoch from at) * 1000000)::bigint::text as us from reservations
      where id = $1`,
    values: [id],
  });
  const writtenAt = Number(row?.us).toString(36);
  const madeUp = [
    `${writtenAt}.${accountId}.c.`.concat("assistant"),
    `${writtenAt}.${accountId}.k.${accountId}`,
    `${moment}.${accountId}.k.${randomUUID()}`,
    `zzzzzzzzzz.${accountId}.k.${user.credentialId}`,
  ];

  await gateway.refund({ receipts: madeUp }, options);

  expect(await counted(user)).toBe(4);
  await journal.commit({ reservationId: id }, options);
});

test.each([
  ["none", []],
  ["too many", Array.from({ length: 257 }, () => "1.0.k.0")],
  ["no receipt", ["account"]],
  ["a text without an account", [`1.${"0".repeat(36)}.k.${randomUUID()}`]],
  ["a key that is not a UUID", [`1.${randomUUID()}.k.key`]],
])("%s in place of receipts is refused", async (_, receipts) => {
  await expect(instance.as("gateway").refund({ receipts }, options)).rejects.toMatchObject({
    kind: "invalid_argument",
  });
});

test("only the gateway may refund", async () => {
  const receipts = [`1.${randomUUID()}.k.${randomUUID()}`];
  await expect(instance.as("journal").refund({ receipts }, options)).rejects.toMatchObject({
    kind: "permission_denied",
  });
});
