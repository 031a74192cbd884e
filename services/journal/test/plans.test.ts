import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newId } from "@nutrition/core/ids";
import { Database } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";
import { createTestDatabase } from "@nutrition/postgres/testing";
import { ExplainingDatabase, explain } from "@nutrition/postgres/testing-plans";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { cleanUp } from "../src/operations/clean-up.ts";
import { backfillDocuments } from "../src/store/document-backfill.ts";
import { listSummaries } from "../src/store/summary-store.ts";
import {
  MIGRATIONS,
  as,
  createHarness,
  logFood,
  newUser,
  readSummary,
  resultOf,
} from "./harness.ts";
import type { Harness, JournalInstance } from "./harness.ts";

const DAYS = 3_600;
const ITEMS_A_DAY = 10;
const DATE = "2024-05-05";

/** Rows of a table that a transaction has read as a whole, and by an index. */
interface ReadCounts {
  scanned: number;
  found: number;
}

/** Tables that grow with each person's history. */
const GROWING = ["entries", "items", "weights", "mutations", "claims"];

/** A person who has kept a journal for ten years, corrected and imported much of it. */
const user = newUser();

let harness: Harness;
let database: ExplainingDatabase;
let journal: JournalInstance;
beforeAll(async () => {
  harness = await createHarness();
  const db = harness.db.database;
  const { accountId } = user;
  await db.query(sql`
    insert into entries (id, account_id, date, timezone, created_at, updated_at)
    select gen_random_uuid(), ${accountId}, date '2026-11-21' - day, 'UTC', now(), now()
    from generate_series(0, ${DAYS}::int - 1) day`);
  await db.query(sql`
    insert into items (id, entry_id, account_id, line_index, description, calories, is_water_entry,
      water_milliliters, provenance, corrected, import_source, external_id, created_at, updated_at)
    select gen_random_uuid(), id, account_id, line, 'food ' || line, 100, false, 0, 'food_table',
      line % 4 = 0, case when line = 1 then 'cronometer' end, case when line = 1 then date::text end,
      now(), now() - random() * interval '10 years'
    from entries, generate_series(0, ${ITEMS_A_DAY}::int - 1) line`);
  await db.query(sql`
    insert into weights (account_id, id, weight_kg, recorded_at, recorded_date, created_at, updated_at)
    select account_id, id, 70, date, date, now(), now() from entries`);
  await db.query(sql`
    insert into mutations (id, account_id, tool, origin, entry_id, date, item_ids, before, after,
      duplicate, request_id, created_at)
    select uuidv7(), i.account_id, 'log_food', 'tool', entry_id, date, array[i.id], '[]', '[]', false, '',
      now()
    from items i join entries e on e.id = i.entry_id`);
  await db.query(sql`
    insert into claims (account_id, hash, state, fence, expires_at)
    select gen_random_uuid(), sha256(number::text::bytea), 'working', number,
      now() + interval '1 hour'
    from generate_series(1, 5000) number`);
  // Stops the backfill, which would read other days.
  await db.query(sql`truncate document_backfill`);
  await db.query(sql`analyze`);
  database = new ExplainingDatabase({ url: harness.db.url, schema: "journal", keptPlans: true });
  journal = await harness.start({ database });
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => {
  database.explained = [];
});

/** Rows read from growing tables by the calls so far, none of which may be read as a whole. */
function rowsRead(): { [table: string]: number } {
  const taken: { [table: string]: number } = {};
  for (const { rows, scanned, statement } of database.explained) {
    const whole = scanned.filter((table) => GROWING.includes(table));
    expect(whole, `tables read as a whole by ${statement}`).toEqual([]);
    for (const table of GROWING) taken[table] = (taken[table] ?? 0) + (rows[table] ?? 0);
  }
  return taken;
}

test("a summary reads only its day's rows of ten years", async () => {
  await readSummary(journal, user, DATE);
  expect(rowsRead()).toMatchObject({ entries: 1, items: 0 });
});

test("summaries requested together read only their days' rows", async () => {
  const dates = ["2024-05-05", "2023-05-05", "2022-05-05"];
  await Promise.all(dates.map((date) => readSummary(journal, user, date)));
  expect(rowsRead()).toMatchObject({ entries: 3, items: 0 });
});

test("building the document of a day reads only its own rows", async () => {
  const { database: db } = harness.db;
  // The counts also contain what earlier transactions of the connection have not reported yet.
  const counts = sql`
    select seq_tup_read as scanned, idx_tup_fetch as found
    from pg_stat_xact_user_tables where relname = 'items'`;
  await db.transaction(async (tx) => {
    const [before] = await tx.query<ReadCounts>(counts);
    await tx.query(sql`
      select entry_texts(id) from entries
      where account_id = ${user.accountId} and date = ${DATE}`);
    const [after] = await tx.query<ReadCounts>(counts);
    expect(after!.scanned - before!.scanned).toBe(0);
    expect(after!.found - before!.found).toBe(ITEMS_A_DAY);
  });
});

test("a step of the backfill reads only the rows of its days", async () => {
  await harness.db.database.query(sql`
    insert into document_backfill select id from entries order by id desc offset 50 limit 1`);
  await backfillDocuments(database, 20);
  await harness.db.database.query(sql`truncate document_backfill`);
  // Each once for its position and once for its document.
  expect(rowsRead()).toMatchObject({ entries: 2 * 20, items: 0 });
});

test("a plan that was made while the tables were empty reads only its day's rows, too", async () => {
  await using young = await createTestDatabase("journal", MIGRATIONS);
  await using session = new Database({ url: young.url, schema: "journal", maxConnections: 1 });
  await session.query(sql`set plan_cache_mode = force_generic_plan`);
  const asked = { accountId: newId(), date: DATE, now: new Date() };
  await listSummaries(session, [asked]);
  await young.database.query(sql`
    insert into entries (id, account_id, date, timezone, created_at, updated_at)
    select gen_random_uuid(), case number when 1 then ${asked.accountId}::uuid
      else gen_random_uuid() end, ${DATE}, 'UTC', now(), now()
    from generate_series(1, 200) number`);
  await young.database.query(sql`
    insert into items (id, entry_id, account_id, line_index, description, calories, is_water_entry,
      water_milliliters, provenance, created_at, updated_at)
    select gen_random_uuid(), id, account_id, line, 'food', 1, false, 0, 'stated', now(), now()
    from entries, generate_series(0, 2) line`);
  const text = `execute get_summaries('{${asked.accountId}}', '{${DATE}}', '{${DATE}}')`;
  expect(await explain(session, { text, values: [] })).toMatchObject({
    rows: { entries: 1 },
  });
});

test("a list of fourteen days reads only their rows of ten years", async () => {
  await journal.client("gateway").listEntries({ limit: 14 }, as(user));
  expect(rowsRead()).toMatchObject({ entries: 14, items: 0 });
});

test("a step of a list reads only the rows of its days, and counts no others", async () => {
  await journal.client("gateway").listEntries({ limit: 90, linesMax: 35 }, as(user));
  const [days, counted] = [4, 35];
  expect(rowsRead()).toMatchObject({ entries: 2 * days, items: counted });
});

test("a list of weights reads only the rows it returns", async () => {
  await journal.client("gateway").listWeights({ limit: 30 }, as(user));
  expect(rowsRead()).toMatchObject({ weights: 30 });
});

test("stored weights are found without reading those of other days", async () => {
  const weights = [
    { date: "2024-05-01", weightKg: 70 },
    { date: "2018-05-01", weightKg: 70 },
  ];
  await journal.client("web").findWeights({ weights }, as(user));
  expect(rowsRead()["weights"]).toBeLessThanOrEqual(6);
});

test("settings read no row of the journal", async () => {
  await journal.client("gateway").getSettings({}, as(user));
  // Background work may run other statements meanwhile.
  const own = database.explained.filter(({ statement }) => statement.includes("settings"));
  expect(own).toHaveLength(1);
  expect(rowsRead()).toMatchObject({ entries: 0, items: 0 });
});

test("daily totals read only the rows of their days", async () => {
  const range = { startDate: "2024-05-01", endDate: "2024-05-10" };
  await journal.client("web").listDailyTotals(range, as(user));
  expect(rowsRead()).toMatchObject({ entries: 10, items: 0 });
});

test("occasions read only the rows of their day", async () => {
  await journal.client("web").listOccasions({ date: "2024-05-01" }, as(user));
  expect(rowsRead()).toMatchObject({ entries: 1, items: ITEMS_A_DAY });
});

test("audit records and exports read only the rows of their page", async () => {
  const admin = journal.client("admin");
  const { accountId } = user;
  await admin.listMutations({ accountId, pageSize: 20 }, as());
  await admin.exportJournal({ accountId, pageToken: `entry ${DATE}` }, as());
  await admin.exportJournal(
    { accountId, pageToken: "mutation 00000000-0000-7000-8000-000000000000" },
    as(),
  );
  const moment = `weight ${DATE}T00:00:00.000Z ${newId()}`;
  await admin.exportJournal({ accountId, pageToken: moment }, as());
  const { mutations, items, entries, weights } = rowsRead();
  expect(mutations).toBe(21 + 100);
  expect(entries).toBe(100);
  expect(items).toBe(0);
  // Rows of the same time are sorted together.
  expect(weights).toBeLessThanOrEqual(102);
});

/** Statements of one write, each of which may read the day's items. */
const WRITE_ITEMS_MAX = 20 * (ITEMS_A_DAY + 5);
/** Corrections that are sent to the analysis, from either half. */
const REMEMBERED_MAX = 100;

function expectFewRows(mutationsMax = 0): void {
  const { items, entries, mutations, claims } = rowsRead();
  expect(items).toBeLessThanOrEqual(WRITE_ITEMS_MAX + REMEMBERED_MAX);
  expect(entries).toBeLessThanOrEqual(20);
  expect(mutations).toBeLessThanOrEqual(mutationsMax);
  expect(claims).toBeLessThanOrEqual(20 + mutationsMax);
}

test("each write reads only rows of its day, however long the history", async () => {
  const gateway = journal.client("gateway");
  const request = { foodText: "food 4\nham", date: DATE };
  const { items } = resultOf(await logFood(journal, user, request));
  expectFewRows();
  database.explained = [];
  const edit = { item: { itemId: items[0].id }, replacementText: "food 8", correction: "eight" };
  resultOf(await gateway.editFoodItem(edit, as(user)));
  expectFewRows();
  database.explained = [];
  const itemIds = items.map(({ id }: { id: string }) => id);
  resultOf(await gateway.mergeFoodItems({ itemIds, mergedText: "both" }, as(user)));
  expectFewRows();
  database.explained = [];
  resultOf(await gateway.deleteFoodItem({ item: { date: DATE, query: "both" } }, as(user)));
  expectFewRows();
});

test("the clean-up reads few rows besides those it deletes", async () => {
  await cleanUp(database);
  expectFewRows(1);
  database.explained = [];
  await database.query(sql`
    insert into claims (account_id, hash, state, fence, expires_at)
    select gen_random_uuid(), sha256(number::text::bytea), 'working', number, now()
    from generate_series(1, 20) number`);
  await database.query(sql`
    insert into mutations (id, account_id, tool, origin, entry_id, date, item_ids, before, after,
      duplicate, request_id, created_at)
    select uuidv7(interval '-401 days'), gen_random_uuid(), '', 'tool', gen_random_uuid(), now(), '{}',
      '[]', '[]', false, '', now() - interval '401 days'
    from generate_series(1, 20)`);
  await cleanUp(database);
  // Each is found, looked up and deleted.
  expectFewRows(61);
});

test("an import, a weight and a resolved reservation read few rows, too", async () => {
  const { accountId } = user;
  const items = [
    { externalId: DATE, date: DATE, description: "again", calories: 1 },
    { externalId: "new", date: DATE, description: "new", calories: 1 },
  ];
  const admin = journal.client("admin");
  const answer = await admin.importItems({ accountId, source: "cronometer", items }, as());
  expect(answer).toMatchObject({ imported: 1, skipped: 1 });
  const recordedAt = timestampFromDate(new Date("2026-11-01T00:00:00Z"));
  const weight = { accountId, weightId: newId(), weightKg: 70, recordedAt };
  await admin.putWeight(weight, as());
  await journal.client("limits").resolveReservation({ reservationId: newId() }, as());
  expectFewRows();
  expect(rowsRead()["weights"]).toBe(0);
});
