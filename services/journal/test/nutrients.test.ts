import { DAILY_AMOUNTS, NUTRIENTS } from "@nutrition/core/nutrients";
import { sql } from "@nutrition/postgres/sql";
import { NutrientsSchema } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { GoalsSchema, ImportedItemSchema } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createHarness } from "./harness.ts";
import type { Harness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness("2026-11-21T12:00:00.000Z");
});
afterAll(() => harness[Symbol.asyncDispose]());

const keysOf = (amounts: readonly { readonly key: string }[]) => amounts.map(({ key }) => key);

test.each([
  ["nutrition.analysis.v1.Nutrients", NutrientsSchema, NUTRIENTS],
  ["nutrition.journal.v1.ImportedItem", ImportedItemSchema, NUTRIENTS],
  ["nutrition.journal.v1.Goals", GoalsSchema, DAILY_AMOUNTS],
])("the message %s has a field for each amount of the registry", (_name, schema, amounts) => {
  expect(schema.fields.map(({ name }) => name)).toEqual(expect.arrayContaining(keysOf(amounts)));
});

test.each([
  ["items", keysOf(DAILY_AMOUNTS)],
  ["settings", keysOf(DAILY_AMOUNTS).map((key) => `goal_${key}`)],
])(
  "%s has a column of hundredths for each amount of the registry, and none is negative",
  async (table, columns) => {
    const found = await harness.db.database.query<{ name: string }>(sql`
      select attname as name from pg_attribute
      where attrelid = ${table}::regclass
        and format_type(atttypid, atttypmod) like 'numeric(%,2)'`);
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(columns));
    const checks = await harness.db.database.query<{ text: string }>(sql`
      select pg_get_constraintdef(oid) as text from pg_constraint
      where conrelid = ${table}::regclass and contype = 'c'`);
    const bounded = checks.map(({ text }) => text).filter((text) => text.includes(">= "));
    for (const column of columns) {
      expect(
        bounded.some((text) => text.includes(column)),
        column,
      ).toBe(true);
    }
  },
);
