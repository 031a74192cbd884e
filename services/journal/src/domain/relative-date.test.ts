import { addDays } from "@nutrition/core/civil-date";
import fc from "fast-check";
import { expect, test } from "vitest";

import { formatRelativeDate } from "./relative-date.ts";

const HERE = { today: "2026-11-21", timezone: "Europe/Berlin" };

test.each([
  ["2026-11-21", "today in Europe/Berlin"],
  ["2026-11-20", "1 day before today in Europe/Berlin"],
  ["2026-11-22", "1 day after today in Europe/Berlin"],
  ["2027-11-21", "365 days after today in Europe/Berlin"],
  ["2025-11-19", "367 days before today in Europe/Berlin"],
])("formats the day %s as %s", (date, told) => {
  expect(formatRelativeDate(date, HERE)).toBe(told);
});

test("states the exact distance in days over the whole calendar", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 700_000 }), (days) => {
      expect(formatRelativeDate(addDays(HERE.today, -days), HERE)).toBe(
        `${days} days before today in Europe/Berlin`,
      );
      expect(formatRelativeDate(addDays(HERE.today, days), HERE)).toBe(
        `${days} days after today in Europe/Berlin`,
      );
    }),
  );
});
