import fc from "fast-check";
import { expect, test } from "vitest";

import { parseInUnit, parseUnitsText, typedAmount, unitsText } from "./units.ts";

const RANGE = { least: 0.01, most: 1_000 };

test.each(["kg", "lb", "st"] as const)("a weight shown in %s is read back as the same", (unit) => {
  fc.assert(
    fc.property(fc.integer({ min: 2_000, max: 30_000 }), (hundredths) => {
      const read = parseInUnit(typedAmount(hundredths / 100, unit), unit, RANGE);
      // A tenth of a pound is 45 g.
      const tolerance = unit === "st" ? 0.03 : 0.006;
      expect(Math.abs(("value" in read ? read.value : 0) - hundredths / 100)).toBeLessThan(
        tolerance,
      );
    }),
  );
});

test.each([
  ["6 ft 0 in", "ft", 182.88],
  ["6'", "ft", 182.88],
  ["5 11,5", "ft", 181.61],
  ["11st 3lb", "st", 71.21],
  ["1.5", "l", 1_500],
] as const)("%s in %s is %d", (text, unit, value) => {
  expect(parseInUnit(text, unit, { least: 0, most: 10_000 })).toEqual({ value });
});

test.each(["5 ft 12 in", "five", "", "5.5 ft", "5 11 3"])(
  "refuses %s as a height in feet",
  (text) => {
    expect(parseInUnit(text, "ft", RANGE)).toHaveProperty("error");
  },
);

test("an error states the bounds in the typed unit", () => {
  expect(parseInUnit("2300", "lb", RANGE)).toEqual({
    error: "Write a number from 0.02 to 2204.62, with at most two decimals.",
  });
});

test("a form's hidden field restores units, and only units", () => {
  const units = { energy: "kJ", weight: "st", height: "ft", water: "fl_oz" } as const;
  expect(parseUnitsText(unitsText(units))).toEqual(units);
  for (const text of ["", "kJ st ft", "kJ st ft cup", "ml l cm kg"]) {
    expect(parseUnitsText(text)).toBeUndefined();
  }
});
