import fc from "fast-check";
import { expect, test } from "vitest";

import { describeConfidence, formatFigure } from "./figures.ts";

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
