import { expect, it } from "vitest";

import { averageOf, plusItem } from "./day-figures.ts";

const TOTALS = {
  calories: 100.1,
  protein: 10,
  carbs: 0,
  fat: 0,
  sugar: 0,
  fiber: 0,
  sodium: 0,
  water_milliliters: 250,
};

it("an item's figures count the given number of times, and unknown figures add nothing", () => {
  const item = { ...TOTALS, calories: 0.2, protein: null };
  expect(plusItem(TOTALS, item, 1)).toMatchObject({ calories: 100.3, protein: 10 });
  expect(plusItem(TOTALS, item, -1)).toMatchObject({ calories: 99.9, water_milliliters: 0 });
});

it("expected totals are never negative", () => {
  expect(plusItem(TOTALS, { ...TOTALS, calories: 500 }, -1).calories).toBe(0);
});

it("averages cover all days, and are undefined without days", () => {
  expect(averageOf([TOTALS, { ...TOTALS, protein: 20 }])).toMatchObject({ protein: 15 });
  expect(averageOf([])).toBeUndefined();
});
