import { newId } from "@nutrition/core/ids";
import { DAILY_AMOUNTS, NUTRIENTS } from "@nutrition/core/nutrients";
import type { UserIdentity } from "@nutrition/core/user-identity";
import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";
import { createTestDatabase } from "@nutrition/postgres/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { keepOlderDays } from "../src/store/kept-store.ts";
import {
  MIGRATIONS,
  as,
  createHarness,
  logFood,
  newUser,
  readSummary,
  resultOf,
} from "./harness.ts";
import type { Harness } from "./harness.ts";

const DATE = "2026-11-20";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness("2026-11-21T12:00:00.000Z");
});
afterAll(() => harness[Symbol.asyncDispose]());

/** The account's items whose stored text is not what would be made now; a deleted item has none. */
function outdatedItems({ accountId }: UserIdentity): Promise<unknown[]> {
  return harness.db.database.query(sql`
    select id, kept_text from items
    where account_id = ${accountId} and (kept_text is distinct from food_item_text(items)
      or (kept_text is null) is distinct from (deleted_at is not null))`);
}

/** The same of its days. */
function outdatedEntries({ accountId }: UserIdentity): Promise<unknown[]> {
  return harness.db.database.query(sql`
    select id, kept_document from entries
    where account_id = ${accountId} and (kept_document, kept_totals) is distinct from (
      case when deleted_at is null then (entry_texts(id)).document end,
      case when deleted_at is null then (entry_texts(id)).totals end)`);
}

async function outdated(user: UserIdentity): Promise<unknown[]> {
  return [...(await outdatedItems(user)), ...(await outdatedEntries(user))];
}

test("every way of writing an item updates its stored text and that of its day", async () => {
  const user = newUser();
  const gateway = harness.journal.client("gateway");
  const logged = await logFood(harness.journal, user, {
    foodText: 'egg\nham\n"tea"\njam',
    date: DATE,
  });
  const [egg, ham, tea, jam] = resultOf(logged).items.map(({ id }: { id: string }) => id);
  expect(await outdated(user)).toEqual([]);
  resultOf(await logFood(harness.journal, user, { foodText: "milk", date: DATE }));
  expect(await outdated(user)).toEqual([]);
  const change = { item: { itemId: tea }, replacementText: '"coffee" with milk' };
  resultOf(await gateway.editFoodItem(change, as(user)));
  expect(await outdated(user)).toEqual([]);
  resultOf(await gateway.mergeFoodItems({ itemIds: [ham, jam], mergedText: "ham, jam" }, as(user)));
  expect(await outdated(user)).toEqual([]);
  // Moves the items behind it up.
  resultOf(await gateway.deleteFoodItem({ item: { itemId: egg } }, as(user)));
  expect(await outdated(user)).toEqual([]);
  expect(await days(user)).toEqual([{ live: true }]);
});

/** The account's days, and whether each has a stored document. */
function days({ accountId }: UserIdentity) {
  return harness.db.database.query(sql`
    select kept_document is not null as live from entries where account_id = ${accountId}`);
}

test("deleting a day's last item leaves no stored document", async () => {
  const user = newUser();
  const { items } = resultOf(await logFood(harness.journal, user, { foodText: "egg", date: DATE }));
  const gateway = harness.journal.client("gateway");
  resultOf(await gateway.deleteFoodItem({ item: { itemId: items[0].id } }, as(user)));
  expect(await days(user)).toEqual([{ live: false }]);
});

test("writers of one day that do not wait for each other leave a current document", async () => {
  const user = newUser();
  await logFood(harness.journal, user, { foodText: "egg\nham", date: DATE });
  const rename = (tx: Transaction, line: number) =>
    tx.query(sql`
      update items set description = description || '!'
      where account_id = ${user.accountId} and line_index = ${line}`);
  const { database } = harness.db;
  let second: Promise<unknown> | undefined;
  await database.transaction(async (tx) => {
    await rename(tx, 0);
    second = database.transaction((other) => rename(other, 1));
    await untilWaiting(database);
  });
  await second;
  expect(await outdated(user)).toEqual([]);
  const summary = await readSummary(harness.journal, user, DATE);
  expect(summary.entries[0].food_text).toBe("egg!\nham!");
});

async function untilWaiting(db: Queryable): Promise<void> {
  for (;;) {
    const waiting = await db.query(sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    if (waiting.length > 0) return;
  }
}

/** Every trigger that keeps texts, with its table. */
const KEEPING = [
  "items items_keep_text",
  "items items_forget_kept_entry",
  "entries entries_forget_kept",
  "entries entries_keep",
];

test("a row written without the triggers reads like one written with them", async () => {
  const user = newUser();
  await logFood(harness.journal, user, { foodText: "egg\nham", date: DATE });
  const before = await readSummary(harness.journal, user, DATE);
  await emptyKept(user);
  expect(await readSummary(harness.journal, user, DATE)).toEqual(before);
});

/** Empties what is kept of the account's days, as of days written before documents were kept. */
async function emptyKept({ accountId }: UserIdentity): Promise<void> {
  await harness.db.database.transaction(async (tx) => {
    for (const trigger of KEEPING) {
      await tx.query({
        text: `alter table ${trigger.replace(" ", " disable trigger ")}`,
        values: [],
      });
    }
    await tx.query(sql`update items set kept_text = null where account_id = ${accountId}`);
    await tx.query(sql`
      update entries set kept_document = null, kept_totals = null where account_id = ${accountId}`);
    for (const trigger of KEEPING) {
      const enabled = trigger.replace(" ", " enable always trigger ");
      await tx.query({ text: `alter table ${enabled}`, values: [] });
    }
  });
}

test("documents of days that were written before are made by and by, newest first", async () => {
  // No service runs on this database, whose worker would make them.
  await using db = await createTestDatabase("journal", MIGRATIONS);
  const { database } = db;
  await database.transaction(async (tx) => {
    await tx.query(sql`alter table entries disable trigger entries_keep`);
    await tx.query(sql`
      insert into entries (id, account_id, date, timezone, created_at, updated_at)
      select uuidv7(make_interval(days => day - 10)), ${newId()}, date '2026-11-01' + day, 'UTC', now(), now()
      from generate_series(0, 2) day`);
    await tx.query(sql`alter table entries enable always trigger entries_keep`);
  });
  const keptDates = () =>
    database.query(sql`select date from entries where kept_document is not null order by date`);
  expect(await keptDates()).toEqual([]);
  expect(await keepOlderDays(database, 1)).toBe(1);
  expect(await keptDates()).toEqual([{ date: "2026-11-03" }]);
  await Promise.all([keepOlderDays(database, 1), keepOlderDays(database, 1)]);
  while ((await keepOlderDays(database, 10)) > 0);
  expect(await keptDates()).toHaveLength(3);
});

test("a day that is being written keeps the document of the write", async () => {
  const user = newUser();
  await logFood(harness.journal, user, { foodText: "egg", date: DATE });
  await emptyKept(user);
  const { database } = harness.db;
  await database.query(sql`
    update keeping_progress set before_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`);
  await database.transaction(async (tx) => {
    await tx.query(sql`
      update items set description = 'ham' where account_id = ${user.accountId}`);
    await tx.query(sql`update entries set updated_at = now() where account_id = ${user.accountId}`);
    while ((await keepOlderDays(database, 100)) > 0);
  });
  expect(await outdatedEntries(user)).toEqual([]);
  expect((await readSummary(harness.journal, user, DATE)).entries[0].food_text).toBe("ham");
});

test("sessions that skip triggers update the text, too", async () => {
  const user = newUser();
  await logFood(harness.journal, user, { foodText: "egg", date: DATE });
  await harness.db.database.transaction(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`);
    await tx.query(sql`
      update items set description = 'ham' where account_id = ${user.accountId}`);
  });
  expect(await outdated(user)).toEqual([]);
});

test("the texts have each nutrient of the registry, in its order", async () => {
  const amounts = Object.fromEntries(NUTRIENTS.map(({ key }, index) => [key, index + 0.5]));
  const row = {
    ...amounts,
    id: newId(),
    description: "egg",
    is_water_entry: false,
    water_milliliters: 0,
    line_index: 0,
    updated_at: "2026-11-20T08:30:00Z",
  };
  const [found] = await harness.db.database.query<{ text: string }>(sql`
    select food_item_text(json_populate_record(null::items, ${JSON.stringify(row)}::json)) as text`);
  const item = JSON.parse(found?.text ?? "") as Record<string, unknown>;
  expect(item).toMatchObject(amounts);
  const keys = NUTRIENTS.map(({ key }) => key as string);
  expect(Object.keys(item).filter((key) => keys.includes(key))).toEqual(keys);
  const [totals] = await harness.db.database.query<{ text: string }>(sql`
    select (entry_texts(id)).totals as text from entries limit 1`);
  const amountKeys = DAILY_AMOUNTS.map(({ key }) => key as string);
  expect(Object.keys(JSON.parse(totals?.text ?? ""))).toEqual(amountKeys);
});
