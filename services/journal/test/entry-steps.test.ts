import { addDays } from "@nutrition/core/civil-date";
import { newId } from "@nutrition/core/ids";
import { sql } from "@nutrition/postgres/sql";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { as, createHarness, newUser } from "./harness.ts";
import type { Harness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

const TODAY = "2026-11-20";
const DAYS = 30;
/** Lines of each day, the newest first; null for a day without an entry. */
const LINES = Array.from({ length: DAYS }, (_, day) => (day % 7 === 3 ? null : 1 + (day % 5)));

interface Asked {
  startDate?: string;
  endDate?: string;
  limit: number;
  linesMax?: number;
  withoutItems?: boolean;
}

/** Stores the days, with a deleted line in each. */
async function insertDays(accountId: string): Promise<void> {
  for (const [day, lines] of LINES.entries()) {
    if (lines === null) continue;
    const entryId = newId();
    await harness.db.database.query(sql`
      insert into entries (id, account_id, date, timezone, created_at, updated_at)
      values (${entryId}, ${accountId}, ${addDays(TODAY, -day)}, 'UTC', now(), now())`);
    await harness.db.database.query(sql`
      insert into items (id, entry_id, account_id, line_index, description, calories, is_water_entry,
        water_milliliters, provenance, created_at, updated_at, deleted_at)
      select gen_random_uuid(), ${entryId}, ${accountId}, nullif(line, ${lines}), 'food ' || line, 1.5,
        false, 0, 'stated', now(), now(), case line when ${lines} then now() end
      from generate_series(0, ${lines}) line`);
  }
}

async function ask(user: ReturnType<typeof newUser>, asked: Asked) {
  const { json, rest } = await harness.journal.client("gateway").listEntries(asked, as(user));
  const { entries } = JSON.parse(Buffer.from(json).toString()) as { entries: Entry[] };
  return { entries, rest };
}

interface Entry {
  date: string;
  totals: object;
  items: object[];
  item_count?: number;
}

test("a list in steps is the list in one, of whatever range and length the steps are", async () => {
  const [user, other] = [newUser(), newUser()];
  await Promise.all([insertDays(user.accountId), insertDays(other.accountId)]);
  const bound = fc.integer({ min: 0, max: DAYS }).map((days) => addDays(TODAY, -days));
  const range = fc
    .record({ startDate: bound, endDate: bound }, { requiredKeys: [] })
    .filter(({ startDate, endDate }) => !startDate || !endDate || startDate <= endDate);
  const limits = fc.integer({ min: 1, max: 40 });
  const lines = fc.integer({ min: 1, max: 60 });
  await fc.assert(
    fc.asyncProperty(range, limits, lines, async (chosen, limit, linesMax) => {
      const whole = await ask(user, { ...chosen, limit });
      expect(whole.rest).toBeUndefined();
      const inSteps: Entry[] = [];
      let asked: Asked = { ...chosen, limit, linesMax };
      for (;;) {
        const { entries, rest } = await ask(user, asked);
        const counts = entries.map(({ items }) => items.length);
        const beforeLast = counts.slice(0, -1).reduce((sum, count) => sum + count, 0);
        expect(beforeLast).toBeLessThan(linesMax);
        inSteps.push(...entries);
        if (!rest) break;
        expect(entries.length).toBeGreaterThan(0);
        asked = { ...asked, endDate: rest.endDate, limit: rest.limit };
      }
      expect(inSteps).toEqual(whole.entries);
    }),
    { numRuns: 40 },
  );
});

test("a list without items has the same days and totals, and counts its items", async () => {
  const user = newUser();
  await insertDays(user.accountId);
  const { entries } = await ask(user, { limit: 90 });
  const totals = await ask(user, { limit: 90, withoutItems: true });
  expect(totals.entries).toStrictEqual(
    entries.map((entry) => {
      const { food_text: _, items, ...day } = entry as Entry & { food_text: string };
      return { ...day, items: [], item_count: items.length };
    }),
  );
});

test("refuses a negative number of lines", async () => {
  const refused = ask(newUser(), { limit: 1, linesMax: -1 });
  await expect(refused).rejects.toMatchObject({ kind: "invalid_argument" });
});
