import { newId } from "@nutrition/core/ids";
import { DAILY_AMOUNTS, NUTRIENTS } from "@nutrition/core/nutrients";
import type { UserIdentity } from "@nutrition/core/user-identity";
import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";
import { createTestDatabase } from "@nutrition/postgres/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { backfillDocuments } from "../src/store/document-backfill.ts";
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
  const { totals } = resultOf(
    await logFood(harness.journal, user, { foodText: "milk", date: DATE }),
  );
  expect((await readSummary(harness.journal, user, DATE)).totals).toEqual(totals);
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

test("concurrent changes of a day without its advisory lock leave its document up to date", async () => {
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

/** All triggers that maintain stored texts, each after its table. */
const TRIGGERS = [
  "items items_keep_text",
  "items items_clear_kept_document",
  "entries entries_clear_kept_document",
  "entries entries_fill_kept_document",
];

test("a row written without the triggers reads like one written with them", async () => {
  const user = newUser();
  await logFood(harness.journal, user, { foodText: "egg\nham", date: DATE });
  const before = await readSummary(harness.journal, user, DATE);
  await clearStored(user);
  expect(await readSummary(harness.journal, user, DATE)).toEqual(before);
});

/** Clears the account's stored texts, leaving its days as an older version wrote them. */
async function clearStored({ accountId }: UserIdentity): Promise<void> {
  await harness.db.database.transaction(async (tx) => {
    for (const trigger of TRIGGERS) {
      await tx.query({
        text: `alter table ${trigger.replace(" ", " disable trigger ")}`,
        values: [],
      });
    }
    await tx.query(sql`update items set kept_text = null where account_id = ${accountId}`);
    await tx.query(sql`
      update entries set kept_document = null, kept_totals = null where account_id = ${accountId}`);
    for (const trigger of TRIGGERS) {
      const enabled = trigger.replace(" ", " enable always trigger ");
      await tx.query({ text: `alter table ${enabled}`, values: [] });
    }
  });
}

/** Logs an egg, and returns the user of the day, which has no stored texts. */
async function logWithoutStoring(): Promise<UserIdentity> {
  const user = newUser();
  await logFood(harness.journal, user, { foodText: "egg", date: DATE });
  await clearStored(user);
  return user;
}

test("the backfill fills in missing documents, newest first", async () => {
  // No service runs on this database: its own backfill would interfere.
  await using db = await createTestDatabase("journal", MIGRATIONS);
  const { database } = db;
  await database.transaction(async (tx) => {
    await tx.query(sql`alter table entries disable trigger entries_fill_kept_document`);
    await tx.query(sql`
      insert into entries (id, account_id, date, timezone, created_at, updated_at)
      select uuidv7(make_interval(days => day - 10)), ${newId()}, date '2026-11-01' + day, 'UTC', now(), now()
      from generate_series(0, 2) day`);
    await tx.query(sql`alter table entries enable always trigger entries_fill_kept_document`);
  });
  const keptDates = () =>
    database.query(sql`select date from entries where kept_document is not null order by date`);
  expect(await keptDates()).toEqual([]);
  expect(await backfillDocuments(database, 1)).toBe(1);
  expect(await keptDates()).toEqual([{ date: "2026-11-03" }]);
  await Promise.all([backfillDocuments(database, 1), backfillDocuments(database, 1)]);
  while ((await backfillDocuments(database, 10)) > 0);
  expect(await keptDates()).toHaveLength(3);
  expect(await database.query(sql`select from document_backfill`)).toEqual([]);
});

async function restartBackfill(): Promise<void> {
  const { database } = harness.db;
  await database.query(sql`truncate document_backfill`);
  await database.query(sql`
    insert into document_backfill values ('ffffffff-ffff-ffff-ffff-ffffffffffff')`);
}

test("a service fills in missing documents after it starts", async () => {
  const user = await logWithoutStoring();
  await restartBackfill();
  await harness.start();
  await expect.poll(() => days(user)).toEqual([{ live: true }]);
  expect(await outdatedEntries(user)).toEqual([]);
});

test("filling a missing document waits for a concurrent change of an item", async () => {
  const user = await logWithoutStoring();
  const { database } = harness.db;
  let touched: Promise<unknown> | undefined;
  await database.transaction(async (tx) => {
    await tx.query(sql`
      update items set description = 'ham' where account_id = ${user.accountId}`);
    touched = database.query(sql`
      update entries set updated_at = now() where account_id = ${user.accountId}`);
    await Promise.race([touched, untilWaiting(database)]);
  });
  await touched;
  expect(await outdatedEntries(user)).toEqual([]);
});

test("the backfill skips a day that a write has locked", async () => {
  const user = await logWithoutStoring();
  const { database } = harness.db;
  await restartBackfill();
  await database.transaction(async (tx) => {
    await tx.query(sql`
      update items set description = 'ham' where account_id = ${user.accountId}`);
    await tx.query(sql`update entries set updated_at = now() where account_id = ${user.accountId}`);
    while ((await backfillDocuments(database, 100)) > 0);
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
