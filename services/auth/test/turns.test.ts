import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, expect, test } from "vitest";

import {
  CALL,
  accountWithKeys,
  asPerson,
  makeAccount,
  outcomesOf,
  startFixture,
} from "./fixture.ts";
import type { Fixture } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

test("while an account's calls wait in the database, credential lookups and other accounts are served", async () => {
  const { web, admin, database } = fixture;
  const [busy, other] = [await accountWithKeys(fixture, 1), await makeAccount(fixture)];
  const locked = Promise.withResolvers<void>();
  const unlocking = Promise.withResolvers<void>();
  // Blocks writers of keys, and no readers.
  const holder = database.transaction(async (tx) => {
    await tx.query(sql`lock table api_keys in share mode`);
    locked.resolve();
    await unlocking.promise;
  });
  await locked.promise;
  const created = Array.from({ length: 20 }, () =>
    web.createKey({ scopes: ["service.read"] }, asPerson(busy.accountId)).catch(() => {}),
  );
  const waiting = sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(() => database.query(waiting)).toHaveLength(2);
  expect(await outcomesOf(fixture, ...busy.keys.map(({ apiKey }) => apiKey))).toEqual([
    "principal",
  ]);
  expect((await web.listKeys({}, asPerson(other))).keys).toEqual([]);
  expect((await admin.listAccounts({}, CALL)).accounts).not.toEqual([]);
  expect(await database.query(waiting)).toHaveLength(2);
  unlocking.resolve();
  await Promise.all([holder, ...created]);
});
