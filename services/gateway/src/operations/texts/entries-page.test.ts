import { addDays } from "@nutrition/core/civil-date";
import fc from "fast-check";
import { expect, it } from "vitest";

import { DAY_EXAMPLE } from "../../schemas/day-example.ts";
import type { z } from "zod";
import type { FoodEntriesPage } from "./entries-page.ts";
import { entriesPage } from "./entries-page.ts";

type Page = z.output<typeof FoodEntriesPage>;

const ENTRY = DAY_EXAMPLE.entry;
const [ITEM] = ENTRY.items;

/** Days with the given number of items, newest first, every second day without food. */
function listOf(itemCounts: readonly number[]): Page {
  const entries = itemCounts.map((count, day) => {
    return { ...ENTRY, date: addDays("2026-11-21", -2 * day), items: Array(count).fill(ITEM) };
  });
  return { entries, limit: 99 };
}

function pageOf(list: Page, limit: number) {
  const { document, text } = entriesPage(list, { limit });
  return { page: document as Page, text };
}

it("returns the same as the endpoint as long as it fits", () => {
  const list = listOf(Array<number>(14).fill(4));
  expect(pageOf(list, 14).page).toEqual({ entries: list.entries, limit: 14 });
});

it("omits the extra day, and mentions older days only if there are any", () => {
  const list = listOf([1, 1, 1]);
  const { page, text } = pageOf(list, 2);
  expect(page).toEqual({ entries: list.entries.slice(0, 2), limit: 2 });
  expect(text).toContain("call again with end_date 2026-11-17");
  expect(pageOf(list, 3).text).not.toContain("call again");
});

it("has room for 90 days without items", () => {
  const { food_text: _, ...day } = { ...ENTRY, items: [], item_count: 20 };
  const list = { entries: Array<typeof day>(90).fill(day), limit: 90 };
  const { page, text } = pageOf(list, 90);
  expect(page.entries).toHaveLength(90);
  expect(text).toContain("20 items");
});

it("stops after a whole day before it is too large, and says how to get the next one", () => {
  const itemCounts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(itemCounts, fc.integer({ min: 1, max: 20 }), (counts, limit) => {
      const list = listOf(counts);
      const { page, text } = pageOf(list, limit);
      const { entries, next_end_date } = page;
      expect(entries).toEqual(list.entries.slice(0, entries.length));
      expect(entries.length).toBeGreaterThan(0);
      const isSmall = (document: Page, told: string) =>
        Buffer.byteLength(JSON.stringify(document)) <= 45_000 && Buffer.byteLength(told) <= 30_000;
      expect(entries.length === 1 || isSmall(page, text)).toBe(true);
      const next = list.entries.slice(0, limit)[entries.length];
      expect(next_end_date).toBe(next?.date);
      if (!next) return;
      const more = entriesPage({ ...list, entries: [...entries, next] }, { limit });
      expect((more.document as Page).next_end_date).toBe(next.date);
    }),
  );
});
