import { addDays } from "@nutrition/core/civil-date";
import { Database } from "@nutrition/postgres/database";
import { afterAll, beforeEach, expect, test } from "vitest";

import { cleanUp } from "../src/operations/clean-up.ts";
import {
  getDatabaseDate,
  insertPartition,
  listPartitionDays,
} from "../src/store/partition-store.ts";
import type { Setting } from "./setup.ts";
import { createSetting } from "./setup.ts";

// A database for each test, because the tests are about its partitions.
let setting: Setting | undefined;

beforeEach(async () => {
  await setting?.[Symbol.asyncDispose]();
  setting = await createSetting();
});

afterAll(() => setting?.[Symbol.asyncDispose]());

async function setup() {
  const { database } = (setting as Setting).test;
  const today = await getDatabaseDate(database);
  const day = (offset: number) => addDays(today, offset);
  return { database, day };
}

test("partitions exist from yesterday to a week ahead", async () => {
  const { database, day } = await setup();
  await cleanUp(database, 35);
  const expected = Array.from({ length: 9 }, (_, index) => day(index - 1));
  expect(await listPartitionDays(database)).toEqual(expected);
});

test("days are UTC days, whatever the database's time zone", async () => {
  const { test: made } = setting as Setting;
  const name = new URL(made.url).pathname.slice(1);
  const text = `alter database ${name} set timezone to 'Pacific/Kiritimati'`;
  await made.database.query({ text, values: [] });
  await using database = new Database({ url: made.url, schema: made.schema });

  await cleanUp(database, 35);

  const today = new Date().toISOString().slice(0, 10);
  expect((await listPartitionDays(database))[1]).toBe(today);
  const bounds = await database.query<{ bound: string }>({
    text: `select pg_get_expr(c.relpartbound, c.oid) as bound from pg_class c
      where c.relname = 'usage_events_' || $1`,
    values: [today.replaceAll("-", "")],
  });
  expect(bounds[0]?.bound).toContain(`FROM ('${today} 00:00:00+00')`);
});

test("several instances maintain them concurrently without harm", async () => {
  const { database, day } = await setup();
  await database.transaction((tx) => insertPartition(tx, day(-60)));
  await Promise.all(Array.from({ length: 4 }, () => cleanUp(database, 35)));
  expect(await listPartitionDays(database)).toHaveLength(9);
});

test("a partition is dropped only once all its events are older than the retention", async () => {
  const { database, day } = await setup();
  for (const offset of [-38, -37, -36, -35]) {
    await database.transaction((tx) => insertPartition(tx, day(offset)));
  }
  await cleanUp(database, 35);
  expect((await listPartitionDays(database)).slice(0, 2)).toEqual([day(-36), day(-35)]);
});

test("references to dropped events are deleted with them, but no open reservation", async () => {
  const { database } = await setup();
  await database.query({
    text: `insert into reservations (id, subject, at, expires_at, state)
      select gen_random_uuid(), 'account:' || state, now - age, now - age, state
      from (select now(), interval '40 days' as age) as t,
        unnest(array['reserved', 'committed']) as state`,
    values: [],
  });
  await database.query({
    text: `insert into subjects (subject, account_id, last_at)
      values ('key:a', gen_random_uuid(), now() - interval '40 days'),
        ('key:b', gen_random_uuid(), now())`,
    values: [],
  });
  await cleanUp(database, 35);
  expect(await database.query({ text: "select state from reservations", values: [] })).toEqual([
    { state: "reserved" },
  ]);
  expect(await database.query({ text: "select subject from subjects", values: [] })).toEqual([
    { subject: "key:b" },
  ]);
});
