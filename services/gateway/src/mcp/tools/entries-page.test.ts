import { addDays } from "@nutrition/core/civil-date";
import fc from "fast-check";
import { expect, it } from "vitest";

import { EXAMPLES } from "../../openapi/examples.ts";
import { entriesPage } from "./entries-page.ts";
import { tellEntries } from "./result-texts.ts";

const [ENTRY] = EXAMPLES.entries.entries;
const [ITEM] = ENTRY.items;

/** Days with so many items each, newest first. */
function listOf(itemCounts: readonly number[]) {
  const entries = itemCounts.map((count, day) => {
    return { ...ENTRY, date: addDays("2026-11-21", -day), items: Array(count).fill(ITEM) };
  });
  return { entries, limit: 14 };
}

it("answers a short list as it is", () => {
  const list = listOf([5, 1]);
  expect(entriesPage(list, {})).toBe(list);
});

it("gives a caller who says how many it wants more than one who does not", () => {
  const week = listOf([12, 12, 12, 12, 12, 12, 12]);
  expect(entriesPage(week, {})).toMatchObject({ limit: 1, next_end_date: "2026-11-20" });
  expect(entriesPage(week, { limit: 7 })).toBe(week);
});

it("gives the newest days whole, at least one, as many as fit, and says where the next begin", () => {
  const itemCounts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 14 });
  fc.assert(
    fc.property(itemCounts, (counts) => {
      const list = listOf(counts);
      const page = entriesPage(list, {});
      const { entries, next_end_date } = page;
      expect(entries).toEqual(list.entries.slice(0, entries.length));
      const bytes = Buffer.byteLength(JSON.stringify([page, tellEntries(page)]));
      expect(entries.length === 1 || bytes <= 8_000).toBe(true);
      const next = list.entries[entries.length];
      expect(next_end_date).toBe(next?.date);
      if (next) {
        expect(page.limit).toBe(entries.length);
        const more = { ...page, entries: [...entries, next] };
        expect(Buffer.byteLength(JSON.stringify([more, tellEntries(more)]))).toBeGreaterThan(7_400);
      }
    }),
  );
});
