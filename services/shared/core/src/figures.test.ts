import fc from "fast-check";
import { expect, test } from "vitest";

import { describeConfidence, formatFigure, formatWater } from "./figures.ts";

test("any stored figure is shown to its last digit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (hundredths) => {
      const figure = hundredths / 100;
      expect(Number(formatFigure(figure).replaceAll(",", ""))).toBe(figure);
    }),
  );
});

test("water is shown in the person's unit", () => {
  expect(formatWater(1_500, "ml")).toBe("1,500 ml");
  expect(formatWater(1_500, "l")).toBe("1.5 l");
  expect(formatWater(0.01, "l")).toBe("0.00001 l");
  expect(formatWater(500, "fl_oz")).toBe("16.9 fl oz");
});

test("confidence is told in words", () => {
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
