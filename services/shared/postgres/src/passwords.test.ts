import { randomBytes } from "node:crypto";

import { Secret } from "@nutrition/core/secret";
import { afterAll, beforeAll, expect, test } from "vitest";

import { Database } from "./database.ts";
import { sql } from "./sql.ts";

// A role for this test alone: roles belong to the whole server, which other tests use too.
const ROLE = `changing_${randomBytes(6).toString("hex")}`;
const [OLD, NEW] = ["of old / and ?", "of-new"];
const adminUrl = process.env["TEST_DATABASE_URL"] ?? "";

let admin: Database;
const asAdmin = (text: string) => admin.query({ text, values: [] });
const open = (password: string, fallback?: string) => {
  const url = Object.assign(new URL(adminUrl), { username: ROLE, password }).href;
  const fallbackPassword = fallback === undefined ? undefined : new Secret(fallback);
  return new Database({ url, fallbackPassword, schema: "public" });
};
const ask = (database: Database) => database.query(sql`select pg_sleep(0.05)`);
const askOften = (database: Database) =>
  Promise.all(Array.from({ length: 24 }, () => ask(database)));

beforeAll(async () => {
  admin = new Database({ url: adminUrl, schema: "public" });
  await asAdmin(`create role ${ROLE} login password '${OLD}'`);
});
afterAll(async () => {
  await asAdmin(`drop role ${ROLE}`);
  await admin[Symbol.asyncDispose]();
});

test("a password can change while old and new connections are opened, without a failure", async () => {
  await using before = open(OLD, NEW);
  await using after = open(NEW, OLD);
  await Promise.all([askOften(before), askOften(after)]);
  await asAdmin(`alter role ${ROLE} password '${NEW}'`);
  const drop = `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ROLE}'`;
  await asAdmin(drop);
  await expect.poll(() => before.load.open + after.load.open).toBe(0);
  await Promise.all([askOften(before), askOften(after)]);
  await asAdmin(`alter role ${ROLE} password '${OLD}'`);
});

test("a wrong password is rejected as usual when there is no other, or no valid one", async () => {
  await using alone = open("wrong");
  await using both = open("wrong", "wrong, too");
  for (const database of [alone, both]) {
    await expect(ask(database)).rejects.toMatchObject({ code: "28P01" });
  }
  const messages = await Promise.all([alone, both].map((one) => ask(one).catch(String)));
  expect(messages.join()).not.toContain("wrong, too");
});
