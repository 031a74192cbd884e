import { amountsOf } from "@nutrition/core/nutrients";
import fc from "fast-check";
import { expect, test } from "vitest";

import { isStorable } from "./estimate.ts";
import type { Estimate } from "./estimate.ts";

const EGG: Estimate = {
  nutrients: amountsOf({ calories: 90, protein: 6.3 }),
  isWater: false,
  waterMilliliters: 0,
  confidence: 0.9,
  comment: null,
  provenance: "food_table",
};

test("stores figures from zero to below ten million", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 9_999_999.99, noNaN: true }), (calories) => {
      expect(isStorable({ ...EGG, nutrients: { ...EGG.nutrients, calories } })).toBe(true);
    }),
  );
});

test.each([-0.01, Number.NaN, Number.POSITIVE_INFINITY, 9_999_999.999])(
  "refuses to store %d",
  (figure) => {
    expect(isStorable({ ...EGG, nutrients: { ...EGG.nutrients, fat: figure } })).toBe(false);
    expect(isStorable({ ...EGG, waterMilliliters: figure })).toBe(false);
    expect(isStorable({ ...EGG, confidence: figure })).toBe(false);
  },
);
