import fc from "fast-check";
import { expect, test } from "vitest";

import { parseAmount } from "./amount.ts";

const RANGE = { least: 0.01, most: 1_000 };

test("accepts an amount with a decimal point or comma", () => {
  expect(parseAmount("71.5", RANGE)).toEqual({ value: 71.5 });
  expect(parseAmount("71,25", RANGE)).toEqual({ value: 71.25 });
});

test.each(["", "abc", "-1", "1e3", "0", "1000.01", "0x10", "1 000", "٣", "1.2345", "."])(
  "%o is not an amount in the range",
  (text) => {
    expect(parseAmount(text, RANGE)).toHaveProperty("error");
  },
);

test("refuses an amount whose separator is ambiguous", () => {
  for (const text of ["1,900", "1.900"]) {
    expect(parseAmount(text, { least: 0, most: 100_000 })).toEqual({
      error: "Write thousands without a separator, and at most two decimals.",
    });
  }
});

test("parses every amount in hundredths exactly", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.constantFrom(".", ","), (cents, mark) => {
      const text = String(cents / 100).replace(".", mark);
      expect(parseAmount(text, RANGE)).toEqual({ value: cents / 100 });
    }),
  );
});
