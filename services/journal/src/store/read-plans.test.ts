import { fileURLToPath } from "node:url";

import { newId } from "@nutrition/core/ids";
import type { Queryable } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";
import { createTestDatabase } from "@nutrition/postgres/testing";
import type { TestDatabase } from "@nutrition/postgres/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { listEntries } from "./entry-list-store.ts";
import { getSummary } from "./summary-store.ts";
import { listWeights } from "./weight-store.ts";

const DAYS = 3_600;
const ITEMS_A_DAY = 10;
const accountId = newId();

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase(
    "journal",
    fileURLToPath(new URL("../../migrations", import.meta.url)),
  );
  await db.database.query(sql`
    insert into entries (id, account_id, date, timezone, created_at, updated_at)
    select gen_random_uuid(), ${accountId}, date '2026-11-21' - day, 'UTC', now(), now()
    from generate_series(0, ${DAYS}::int - 1) day`);
  await db.database.query(sql`
    insert into items (id, entry_id, account_id, line_index, description, calories,
      is_water_entry, water_milliliters, provenance, created_at, updated_at)
    select gen_random_uuid(), id, account_id, line, 'food', 100, false, 0, 'food_table', now(), now()
    from entries, generate_series(0, ${ITEMS_A_DAY}::int - 1) line`);
  await db.database.query(sql`
    insert into weights (account_id, id, weight_kg, recorded_at, recorded_date, created_at, updated_at)
    select account_id, id, 70, date, date, now(), now() from entries`);
  await db.database.query(sql`analyze`);
});
afterAll(() => db[Symbol.asyncDispose]());

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  Plans?: PlanNode[];
}

/** Rows that the plan of a read takes from each table, and the tables that it scans whole. */
async function planOf(read: (db: Queryable) => Promise<unknown>) {
  const rows = new Map<string, number>();
  const scanned: string[] = [];
  const visit = (node: PlanNode) => {
    const table = node["Relation Name"];
    if (table !== undefined) {
      rows.set(table, (rows.get(table) ?? 0) + node["Actual Rows"] * node["Actual Loops"]);
      if (node["Node Type"] === "Seq Scan") scanned.push(table);
    }
    node.Plans?.forEach(visit);
  };
  await db.database.transaction(async (tx) => {
    // What a prepared statement gets after its first uses.
    await tx.query(sql`set local plan_cache_mode = force_generic_plan`);
    await read({
      query: async <Row>({ text, values }: { text: string; values: readonly unknown[] }) => {
        const explained = `explain (analyze, format json) ${text}`;
        const [row] = await tx.query<{ "QUERY PLAN": { Plan: PlanNode }[] }>({
          text: explained,
          values,
        });
        visit((row as { "QUERY PLAN": { Plan: PlanNode }[] })["QUERY PLAN"][0]!.Plan);
        return [{ json: "{}" }] as Row[];
      },
    });
  });
  return { rows, scanned: scanned.filter((table) => table !== "settings") };
}

test("a summary takes only its day's rows of ten years", async () => {
  const { rows, scanned } = await planOf((queryable) =>
    getSummary(queryable, accountId, { date: "2024-05-05", now: new Date() }),
  );
  expect(scanned).toEqual([]);
  expect(rows.get("items")).toBe(ITEMS_A_DAY);
  expect(rows.get("entries")).toBe(1);
});

test("a list of fourteen days takes only their rows of ten years", async () => {
  const { rows, scanned } = await planOf((queryable) =>
    listEntries(queryable, accountId, { startDate: null, endDate: null, limit: 14 }),
  );
  expect(scanned).toEqual([]);
  expect(rows.get("items")).toBe(14 * ITEMS_A_DAY);
  expect(rows.get("entries")).toBe(14);
});

test("a list of weights takes only the rows it returns", async () => {
  const { rows, scanned } = await planOf((queryable) => listWeights(queryable, accountId, 30));
  expect(scanned).toEqual([]);
  expect(rows.get("weights")).toBe(30);
});
