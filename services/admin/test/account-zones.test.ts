import { afterAll, beforeAll, expect, test } from "vitest";

import { Operator } from "./operator.ts";

let operator: Operator;
beforeAll(async () => {
  operator = await Operator.start();
});
afterAll(() => operator[Symbol.asyncDispose]());

test("lists of accounts show the time zone of each journal", async () => {
  const { id, email } = await operator.createAccount();
  const other = await operator.createAccount();
  expect(other).toMatchObject({ timezone: "UTC" });
  await operator.json("accounts", "set", id, "--timezone", "Asia/Tokyo");
  const changed = await operator.json("accounts", "set", id, "--premium");
  expect(changed).toMatchObject({ email, has_premium: true, timezone: "Asia/Tokyo" });
  const accounts: { id: string }[] = await operator.json("accounts", "list");
  const zones = accounts.filter((one) => one.id === id || one.id === other.id);
  expect(zones).toMatchObject([{ timezone: "Asia/Tokyo" }, { timezone: "UTC" }]);
});
