import { describe, expect, it } from "vitest";

import { amountRatio } from "./remembered.ts";

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
