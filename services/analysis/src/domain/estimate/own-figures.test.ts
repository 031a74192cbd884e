import { describe, expect, it } from "vitest";

import { readStatedFigures, amountRatio } from "./own-figures.ts";

describe("stated figures", () => {
  it("are energy and the nutrients beside it, and nothing else", () => {
    const figures = readStatedFigures(
      "protein bar 210 kcal, 20 g protein, carbs: 18g, 150 mg sodium",
    );
    expect(figures?.nutrients).toEqual({ calories: 210, protein: 20, carbs: 18, sodium: 150 });
    expect(figures?.rest).toContain("protein bar");
  });

  it("in kilojoules become kcal", () => {
    expect(readStatedFigures("yogurt 418.4 kJ")?.nutrients.calories).toBeCloseTo(100);
  });

  it("for several foods are summed", () => {
    expect(readStatedFigures("eggs 150 kcal and toast 100 calories")?.nutrients.calories).toBe(250);
  });

  it.each([
    ["2 bars, 210 kcal each", "each"],
    ["60 g granola, 450 kcal per 100 g", "100 g"],
    ["60 g granola, 450 kcal/100g", "100 g"],
    ["granola 450 kcal", "line"],
  ])("%s are for: %s", (text, basis) => {
    expect(readStatedFigures(text)?.basis).toBe(basis);
  });

  it.each(["2 eggs", "30 g protein powder", "low calorie beer", "10 g fat"])(
    "there are none in: %s",
    (text) => {
      expect(readStatedFigures(text)).toBeUndefined();
    },
  );
});

const count = (value: number) => ({ count: value, counted: true });
const slices = (value: number) => ({ ...count(value), unit: "slice" });
const grams = (value: number) => ({
  ...count(1),
  measure: { kind: "mass" as const, grams: value },
});

describe("a remembered amount", () => {
  it.each([
    ["3 against 2 slices", slices(3), slices(2), 1.5],
    ["2 against none", count(2), { count: 1, counted: false }, 2],
    ["300 g against 200 g", grams(300), grams(200), 1.5],
  ])("%s is scaled", (_, now, before, ratio) => {
    expect(amountRatio(now, before, undefined)).toBeCloseTo(ratio);
  });

  it.each([
    ["of another unit, with no food to weigh", slices(2), grams(60)],
    ["of nothing", count(2), count(0)],
    ["far from the new one", grams(3000), grams(10)],
  ])("%s is not used", (_, now, before) => {
    expect(amountRatio(now, before, undefined)).toBeUndefined();
  });
});
