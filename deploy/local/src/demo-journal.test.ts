import { addDays, isCivilDate } from "@nutrition/core/civil-date";
import fc from "fast-check";
import { expect, test } from "vitest";

import { DEMO_DAYS, demoMeals, demoWeights } from "./demo-journal.ts";

const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays("2000-01-01", days));

test("each of the 60 days up to today has two to five meals or drinks, and today has two", () => {
  fc.assert(
    fc.property(day, (today) => {
      const byDay = Map.groupBy(demoMeals(today), ({ date }) => date);
      expect([...byDay.keys()].sort()).toEqual(
        Array.from({ length: DEMO_DAYS }, (_, index) => addDays(today, index - DEMO_DAYS + 1)),
      );
      for (const meals of byDay.values()) {
        expect(meals.length).toBeGreaterThanOrEqual(2);
        expect(meals.length).toBeLessThanOrEqual(5);
      }
      expect(byDay.get(today)).toHaveLength(2);
    }),
    { numRuns: 20 },
  );
});

test("the same day always has the same meals, and days differ", () => {
  expect(demoMeals("2026-11-21")).toEqual(demoMeals("2026-11-21"));
  const days = Map.groupBy(demoMeals("2026-11-21"), ({ date }) => date);
  const texts = [...days.values()].map((meals) => meals.map(({ foodText }) => foodText).join("\n"));
  expect(new Set(texts).size).toBeGreaterThan(DEMO_DAYS * 0.9);
});

test("the meals of a day differ, so that none counts as a duplicate", () => {
  for (const meals of Map.groupBy(demoMeals("2026-11-21"), ({ date }) => date).values()) {
    expect(new Set(meals.map(({ foodText }) => foodText)).size).toBe(meals.length);
  }
});

test("weights are on days of the journal and decrease over the 60 days", () => {
  const weights = demoWeights("2026-11-21");
  expect(weights.every(({ date }) => isCivilDate(date) && date <= "2026-11-21")).toBe(true);
  expect(new Set(weights.map(({ date }) => date)).size).toBe(weights.length);
  const first = weights.slice(0, 5).reduce((sum, { weightKg }) => sum + weightKg, 0);
  const last = weights.slice(-5).reduce((sum, { weightKg }) => sum + weightKg, 0);
  expect(last).toBeLessThan(first);
});
