import fc from "fast-check";
import { expect, test } from "vitest";

import {
  describeConfidence,
  describeEnergyLeft,
  formatAmount,
  formatEnergy,
  formatFigure,
  formatVolume,
  formatWeight,
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
  const [kcal, kJ] = (["kcal", "kJ"] as const).map((unit) => ({ unit, locale: "en" }));
  expect([0, 0.3, 349.98].map((energy) => formatEnergy(energy, "kcal"))).toEqual([
    "0",
    "<1",
    "350",
  ]);
  expect([0, 0.1, 349.98].map((energy) => formatEnergy(energy, "kJ"))).toEqual([
    "0",
    "<1",
    "1,464",
  ]);
  expect(describeEnergyLeft(349.98, 1_900, kcal!)).toBe("1,550 left of 1,900 kcal");
  expect(describeEnergyLeft(3_726.1, 1_900, kcal!)).toBe("1,826 over the 1,900 kcal goal");
  expect(describeEnergyLeft(349.98, 1_900, kJ!)).toBe("6,486 left of 7,950 kJ");
});

test.each([
  [71.25, "kg", [["71.3", "kg"]]],
  [71.25, "lb", [["157.1", "lb"]]],
  [
    71.25,
    "st",
    [
      ["11", "st"],
      ["3.1", "lb"],
    ],
  ],
  // 13.97 lb, which is a stone when rounded.
  [
    6.337,
    "st",
    [
      ["1", "st"],
      ["0", "lb"],
    ],
  ],
  [0.2, "st", [["0.4", "lb"]]],
] as const)("writes a weight of %d kg in %s in tenths", (kilograms, unit, written) => {
  expect(formatWeight(kilograms, unit)).toEqual(written);
});

test.each([
  [250.4, "ml", "250"],
  [250, "l", "0.25"],
  [500, "fl_oz", "16.9"],
] as const)("writes %d ml in %s as %s", (milliliters, unit, written) => {
  expect(formatVolume(milliliters, unit)).toBe(written);
});
