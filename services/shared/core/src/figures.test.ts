import fc from "fast-check";
import { expect, test } from "vitest";

import {
  describeConfidence,
  describeEnergyLeft,
  formatAmount,
  formatEnergy,
  formatFigure,
} from "./figures.ts";

test("shows any stored figure to its last digit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (hundredths) => {
      const figure = hundredths / 100;
      expect(Number(formatFigure(figure).replaceAll(",", ""))).toBe(figure);
    }),
  );
});

test("describes confidence in words", () => {
  expect([1, 0.99, 0.9, 0.8, 0.79, 0.5, 0.49, 0].map(describeConfidence)).toEqual([
    "as stated",
    "good estimate",
    "good estimate",
    "good estimate",
    "fair estimate",
    "fair estimate",
    "rough guess",
    "rough guess",
  ]);
});

test.each([
  [0, "g", "0"],
  [0.04, "g", "<0.1"],
  [12.345, "g", "12.3"],
  [163.4, "g", "163"],
  [99.5, "mg", "100"],
])("writes %d %s as %s for people", (amount, unit, written) => {
  expect(formatAmount(amount, unit)).toBe(written);
});

test("writes energy whole, and what is left as the difference of what is shown", () => {
  expect([0, 0.3, 349.98].map((kcal) => formatEnergy(kcal))).toEqual(["0", "<1", "350"]);
  expect(describeEnergyLeft(349.98, 1_900)).toBe("1,550 left of 1,900 kcal");
  expect(describeEnergyLeft(3_726.1, 1_900)).toBe("1,826 over the 1,900 kcal goal");
});
