import { describe, expect, it } from "vitest";

import { daysOfRange, weekdayAverages } from "./day-range.ts";

const TODAY = "2026-11-21";
const list = (dates: readonly string[], more: object = {}) => ({
  entries: dates.map((date) => ({ date })),
  limit: 14,
  ...more,
});
const span = (days: readonly { date: string }[]) => [days[0]?.date, days.at(-1)?.date, days.length];

describe("the days of a range", () => {
  it("span the first to the last, including days without a log between them", () => {
    const days = daysOfRange(list(["2026-11-20", "2026-11-18"]), {}, TODAY);
    expect(days.map(({ date, entry }) => [date, entry !== undefined])).toEqual([
      ["2026-11-18", true],
      ["2026-11-19", false],
      ["2026-11-20", true],
    ]);
  });

  it("are the requested ones, up to today", () => {
    const asked = { start: "2026-11-01", end: "2026-11-30" };
    const days = daysOfRange(list(["2026-11-20"]), asked, TODAY);
    expect(span(days)).toEqual(["2026-11-01", TODAY, 21]);
  });

  it.each([
    ["full", { next_end_date: "2026-11-10" }],
    ["as long as was asked for", { limit: 1 }],
  ])("begin with the oldest of a list that is %s", (_why, more) => {
    const days = daysOfRange(list(["2026-11-20"], more), { start: "2026-01-01" }, TODAY);
    expect(span(days)).toEqual(["2026-11-20", "2026-11-20", 1]);
  });

  it("include a day that was logged ahead", () => {
    expect(span(daysOfRange(list(["2026-11-25"]), {}, TODAY))).toEqual([
      "2026-11-25",
      "2026-11-25",
      1,
    ]);
  });

  it("are only the logged ones when the range is too long to draw", () => {
    const days = daysOfRange(list(["2026-11-20", "1990-01-01"]), {}, TODAY);
    expect(span(days)).toEqual(["1990-01-01", "2026-11-20", 2]);
  });

  it.each(["nonsense", "9999-99-99"])("ignore an invalid first day: %s", (start) => {
    const days = daysOfRange(list(["2026-11-20"]), { start }, TODAY);
    expect(days.some(({ entry }) => entry !== undefined)).toBe(true);
  });

  it("are empty without a log", () => expect(daysOfRange(list([]), {}, TODAY)).toEqual([]));
});

it("averages by weekday begin on Monday, and are undefined for weekdays without a day", () => {
  const averages = weekdayAverages([
    { date: "2026-11-16", value: 100 },
    { date: "2026-11-23", value: 200 },
    { date: "2026-11-22", value: 50 },
  ]);
  expect(averages[0]).toEqual({ weekday: "Mon", average: 150 });
  expect(averages[1]).toEqual({ weekday: "Tue", average: undefined });
  expect(averages[6]).toEqual({ weekday: "Sun", average: 50 });
});
