import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { gtin14, hasGtinLength, isGtin } from "./gtin.ts";

describe("a GTIN", () => {
  it.each(["96385074", "036000291452", "4006381333931", "5449000000996", "10614141000415"])(
    "accepts %s, whose check digit is right",
    (digits) => expect(isGtin(digits)).toBe(true),
  );

  it.each(["4006381333932", "0000000000000", "123456789", "400638133393x", ""])(
    "%s is none",
    (digits) => expect(isGtin(digits)).toBe(false),
  );

  it("normalizes all lengths of a number to the same GTIN", () => {
    expect(gtin14("036000291452")).toBe(gtin14("0036000291452"));
    expect(isGtin("0036000291452")).toBe(true);
  });

  it("refuses a GTIN with any one digit changed", () => {
    const changes = fc.tuple(fc.nat({ max: 12 }), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(changes, ([at, more]) => {
        const digits = [..."4006381333931"];
        digits[at] = String((Number(digits[at]) + more) % 10);
        return hasGtinLength(digits.join("")) && !isGtin(digits.join(""));
      }),
    );
  });
});
