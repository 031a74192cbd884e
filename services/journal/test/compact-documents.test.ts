import { newId } from "@nutrition/core/ids";
import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, expect, test } from "vitest";

import { as, createHarness, newUser } from "./harness.ts";
import type { Harness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

const DATE = "2026-11-20";
/** Every character that JSON escapes, and text that looks like JSON tokens. */
const ODD_TEXT = 'a "b" : [1, 2] , {\\} \u0001\u001f\b\f\n\r\t \u007f é 🍎 \u2028 null';

async function insertDay(accountId: string): Promise<void> {
  const at = "2026-11-20T08:30:00.000Z";
  const [entryId, db] = [newId(), harness.db.database];
  await db.query(sql`
    insert into settings (account_id, goal_calories, goal_protein, timezone, updated_at)
    values (${accountId}, 2000.10, 0, 'Europe/Berlin', ${at})`);
  await db.query(sql`
    insert into entries (id, account_id, date, timezone, created_at, updated_at)
    values (${entryId}, ${accountId}, ${DATE}, 'Europe/Berlin', ${at}, ${at})`);
  await db.query(sql`
    insert into items (id, entry_id, account_id, line_index, description, detailed_description,
      calories, protein, is_water_entry, water_milliliters, confidence_score, ai_comment, provenance,
      created_at, updated_at)
    values
      (${newId()}, ${entryId}, ${accountId}, 0, ${ODD_TEXT}, ${ODD_TEXT}, 100.50, 0.10, false, 0, 0.9,
        ${ODD_TEXT}, 'food_table', ${at}, ${at}),
      (${newId()}, ${entryId}, ${accountId}, 1, 'water', null, 0, null, true, 250, null, null,
        'food_table', ${at}, ${at})`);
  await db.query(sql`
    insert into weights (account_id, id, weight_kg, recorded_at, recorded_date, notes, created_at,
      updated_at)
    values (${accountId}, ${newId()}, 70.50, ${at}, ${DATE}, ${ODD_TEXT}, ${at}, ${at}),
      (${accountId}, ${newId()}, 71, ${at}, ${DATE}, null, ${at}, ${at})`);
}

test("documents are compact JSON, without white space and in shortest numbers", async () => {
  const user = newUser();
  await insertDay(user.accountId);
  const gateway = harness.journal.client("gateway");
  const [range, options] = [{ startDate: DATE, endDate: DATE }, as(user)];
  const replies = await Promise.all([
    gateway.getSummary({ date: DATE }, options),
    gateway.getSummary({ date: "2026-11-19" }, options),
    gateway.listEntries({ ...range, limit: 14 }, options),
    gateway.listWeights({ limit: 30 }, options),
    harness.journal.client("web").listDailyTotals(range, options),
  ]);
  for (const { json } of replies) {
    const text = Buffer.from(json).toString();
    expect(text).toBe(JSON.stringify(JSON.parse(text)));
  }
  const [summary] = replies.map(({ json }) => JSON.parse(Buffer.from(json).toString()));
  expect(summary.entries[0].items[0]).toMatchObject({
    description: ODD_TEXT,
    detailed_description: ODD_TEXT,
    ai_comment: ODD_TEXT,
  });
});
