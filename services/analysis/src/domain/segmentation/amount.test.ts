import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type Amount, readAmount } from "./amount.ts";
import { readNumberWords } from "../text/quantities.ts";
import { phraseOf, tokenize } from "../text/tokens.ts";

const FOODS = new Set([
  "toast",
  "egg",
  "latte",
  "chocolate bar",
  "egg roll",
  "cola",
  "yogurt",
  "bread",
]);

function read(line: string): { amount: Amount; name: string } {
  const tokens = readNumberWords(tokenize(line));
  const { amount, name } = readAmount(tokens, (name) => FOODS.has(phraseOf(name)));
  return { amount, name: phraseOf(name) };
}

/** Grams or milliliters in all. */
function total({ count, measure }: Amount): number | undefined {
  if (!measure) return undefined;
  return count * (measure.kind === "mass" ? measure.grams : measure.milliliters);
}

describe("weights and volumes", () => {
  it.each([
    ["200 g yogurt", 200, "yogurt"],
    ["yogurt 200g", 200, "yogurt"],
    ["yogurt (200 g)", 200, "yogurt"],
    ["1.5 kg bread", 1500, "bread"],
    ["2 x 150 g bread", 300, "bread"],
    ["2 150 g bread", 300, "bread"],
    ["2 (150 g) bread", 300, "bread"],
    ["2 bread (150 g)", 150, "bread"],
    ["8 oz bread", 226.8, "bread"],
    ["1 lb bread", 453.6, "bread"],
    ["33 cl cola", 330, "cola"],
    ["2,5 dl yogurt", 250, "yogurt"],
    ["1 l cola", 1000, "cola"],
    ["8 fl oz cola", 236.6, "cola"],
    ["half a pint of cola", 236.6, "cola"],
    ["2 cups of yogurt", 473.2, "yogurt"],
    ["1 tbsp yogurt", 14.8, "yogurt"],
    ["750 ml bottle of cola", 750, "cola"],
    ["2 cans (330 ml) of cola", 660, "cola"],
    ["2 slices (80 g) of bread", 80, "bread"],
  ])("%s is %d of it", (line, amount, name) => {
    const quantified = read(line);
    expect(total(quantified.amount)).toBeCloseTo(amount, 0);
    expect(quantified.name).toBe(name);
  });

  it("a pint is imperial if the line says so", () => {
    expect(total(read("1 imperial pint cola").amount)).toBeCloseTo(568.3, 1);
  });
});

describe("household units, sizes and counts", () => {
  it.each([
    ["2 slices of toast", { count: 2, unit: "slice" }, "toast"],
    ["toast, 2 slices", { count: 2, unit: "slice" }, "toast"],
    ["2 toast slices", { count: 2, unit: "slice" }, "toast"],
    ["slice of bread", { count: 1, unit: "slice" }, "bread"],
    ["3 eggs", { count: 3 }, "egg"],
    ["eggs x 3", { count: 3 }, "egg"],
    ["x2 eggs", { count: 2 }, "egg"],
    ["large latte", { count: 1, size: "large" }, "latte"],
    ["latte, large", { count: 1, size: "large" }, "latte"],
    ["2 extra large eggs", { count: 2, size: "extra large" }, "egg"],
    ["1 chocolate bar", { count: 1 }, "chocolate bar"],
    ["2 egg rolls", { count: 2 }, "egg roll"],
    ["toast", { count: 1, counted: false }, "toast"],
  ])("%s", (line, amount, name) => {
    const quantified = read(line);
    expect(quantified.amount).toMatchObject(amount);
    expect(quantified.name).toBe(name);
  });
});

it("a weight is read alike at any position", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 1, max: 9 }),
      (grams, count) => {
        for (const line of [`${count} x ${grams} g toast`, `toast ${count} x ${grams}g`]) {
          expect(total(read(line).amount)).toBe(grams * count);
        }
      },
    ),
  );
});

it("any text leaves a finite, non-negative amount", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      const { amount } = read(text);
      expect(Number.isFinite(amount.count) && amount.count >= 0).toBe(true);
      expect(total(amount) ?? 0).toBeGreaterThanOrEqual(0);
    }),
  );
});
