import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { amountOf, expectedFactor, withAmount } from "./line-amount.ts";

describe("the amount of a line", () => {
  it.each([
    ["2 scrambled eggs", "2"],
    ["Oats 50 g", "50"],
    ["1,5 l water", "1,5"],
    ["250ml milk", "250"],
  ])("is its first number: %s", (line, amount) => expect(amountOf(line)?.text).toBe(amount));

  it.each(["eggs", "1/2 pizza", "5% yogurt", "2-3 dates", "0 eggs", "1.234.567 peas", ""])(
    "is unknown if the number means something else: %s",
    (line) => expect(amountOf(line)).toBeUndefined(),
  );

  it("is the only part that changes", () => {
    expect(withAmount("Oats 50 g with 2 dates", "75")).toBe("Oats 75 g with 2 dates");
    expect(withAmount("2 $& eggs", "$1")).toBe("$1 $& eggs");
  });

  it("can be read from any line, and be written back", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (line) => {
        const amount = amountOf(line);
        if (amount) expect(withAmount(line, amount.text)).toBe(line);
      }),
    );
  });
});

describe("the factor by which figures probably change", () => {
  it("is the ratio of the amounts if only the amount differs", () => {
    expect(expectedFactor("2 eggs", "3 eggs")).toBe(1.5);
    expect(expectedFactor("1,5 l milk", "3 l milk")).toBe(2);
  });

  it.each([
    ["2 eggs", "2 apples"],
    ["2 eggs", "3 apples"],
    ["eggs", "3 eggs"],
  ])("is unknown from %s to %s", (line, edited) =>
    expect(expectedFactor(line, edited)).toBeUndefined(),
  );
});
