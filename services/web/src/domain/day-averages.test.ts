import { expect, test } from "vitest";

import { averageDays, averageWeekdays, loggingStreak } from "./day-averages.ts";
import { weeklyChange, weightTrend } from "./weight-trend.ts";

// A Monday.
const today = "2026-06-15";
const day = (date: string, calories: number) => ({ date, totals: { calories } });

test("averages only days with food before today", () => {
  const days = [day("2026-06-07", 9_000), day("2026-06-08", 1_000), day("2026-06-14", 2_000)];
  expect(averageDays([...days, day(today, 10)], { today, days: 7 })).toEqual({
    days: 7,
    loggedDays: 2,
    means: { calories: 1_500 },
  });
  expect(averageDays([day(today, 10)], { today, days: 7 }).means).toBeUndefined();
});

test("each weekday has the mean of its days, Monday first", () => {
  const days = [day("2026-06-01", 1_000), day("2026-06-08", 2_000), day("2026-06-14", 700)];
  const means = averageWeekdays([...days, day(today, 10)], today);
  expect(means.map((mean) => mean?.calories)).toEqual([1_500, ...Array.from({ length: 5 }), 700]);
});

test.each([
  [[], 0],
  [["2026-06-13"], 0],
  [["2026-06-14"], 1],
  [[today, "2026-06-14", "2026-06-13", "2026-06-11"], 3],
])("%j are %i days in a row", (dates, length) => {
  expect(
    loggingStreak(
      dates.map((date) => ({ date })),
      today,
    ),
  ).toBe(length);
});

test("a trend follows the weight slowly, and faster after a gap", () => {
  const steady = weightTrend([
    { date: "2026-06-01", weightKg: 80 },
    { date: "2026-06-02", weightKg: 81 },
  ]);
  expect(steady.map(({ trendKg }) => trendKg)).toEqual([80, expect.closeTo(80.1, 9)]);
  const [, late] = weightTrend([
    { date: "2026-06-01", weightKg: 80 },
    { date: "2026-06-30", weightKg: 81 },
  ]);
  expect(late!.trendKg).toBeGreaterThan(80.9);
  expect(weeklyChange(steady)).toBeUndefined();
});

test("reports a steady loss per week", () => {
  const weights = Array.from({ length: 60 }, (_, at) => ({
    date: new Date(Date.UTC(2026, 3, 1 + at)).toISOString().slice(0, 10),
    weightKg: 80 - at * 0.1,
  }));
  expect(weeklyChange(weightTrend(weights).slice(-21))).toBeCloseTo(-0.7, 1);
});
