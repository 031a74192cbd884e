import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type Estimate, GRAMS_MAX } from "../src/domain/estimate/estimate.ts";
import { CALORIES_PER_100_GRAMS_MAX } from "../src/domain/foods/food.ts";
import { remarksOfLines } from "../src/domain/remarks/line-remarks.ts";
import { openTable } from "./reader.ts";

const { estimate, foods, reader } = await openTable();

describe("whatever the line", () => {
  const gram = fc.integer({ min: 1, max: GRAMS_MAX });
  const anyFood = fc.constantFrom(...foods);

  it("a food by weight has exactly that weight of its figures", () => {
    fc.assert(
      fc.property(anyFood, gram, (food, grams) => {
        const result = estimate(`${grams} g ${food.name}`);
        if (result.kind !== "estimate") throw new Error(result.message);
        expect(result.components).toHaveLength(1);
        // Mince and pasta by the pack are raw: "1000 g ground beef", "500 g spaghetti".
        const named = result.components[0]?.foodName;
        const meant = foods.find(({ name }) => name === named) ?? food;
        expect(named).toMatch(new RegExp(`^(?:raw |dry )?${food.name}$`));
        expect(result.components[0]).toMatchObject({ grams });
        const calories = (meant.per100Grams.calories * grams) / 100;
        expect(result.nutrients.calories).toBeCloseTo(calories, 6);
      }),
    );
  });

  it("every name of every food leads to it", () => {
    const lost = foods.flatMap((food) =>
      [food.name, ...food.aliases].filter((name) => {
        const result = estimate(name);
        // "90 calorie bar" states its figures.
        if (result.kind === "estimate" && result.provenance === "stated") return false;
        return result.kind !== "estimate" || result.components[0]?.foodName !== food.name;
      }),
    );
    expect(lost).toEqual([]);
  });

  const fragment = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.constantFrom(
      ...(
        "with and on without no minus or in of x ( ) , : / 1/2 ½ 2-3 1e9 g kg ml cup large thick slice " +
        'fried raw dry skin removed half dozen 80/20 20% lean fat chips 12" 6-pack T t & for had was'
      ).split(" "),
    ),
    anyFood.map(({ name }) => name),
    fc.integer({ min: -10, max: 1_000_000_000 }).map(String),
    fc.double().map(String),
    fc.tuple(fc.nat(99), fc.nat(99)).map(([top, bottom]) => `${top}/${bottom}`),
    fc.nat(9_999).map((count) => count.toLocaleString("en")),
    fc.nat(9_999).map((count) => count.toLocaleString("de")),
  );
  const anyLine = fc
    .array(fragment, { maxLength: 40 })
    .map((fragments) => [...fragments.join(" ")].slice(0, 500).join(""));

  it("any 500 characters get a bounded answer", () => {
    fc.assert(
      fc.property(anyLine, fc.string({ maxLength: 200 }), (line, correction) => {
        const result = estimate(line, { details: line, correction });
        if (result.kind === "cannot_tell") expect(result.message.length).toBeLessThan(260);
        else assertInBounds(result);
      }),
      { numRuns: 300 },
    );
  });

  it("names for lookups in other tables are few and short", () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        const names = reader.unanswered(line);
        expect(names.length).toBeLessThanOrEqual(12);
        expect(names.every((name) => name.split(" ").length <= 40)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it("each remark belongs to a line or to none", () => {
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 12 }), anyLine, (lines, text) => {
        expect(remarksOfLines(lines, text, reader)).toHaveLength(lines.length);
      }),
      { numRuns: 50 },
    );
  });

  function assertInBounds(result: Estimate): void {
    for (const amount of Object.values(result.nutrients)) {
      if (amount === undefined) continue;
      expect(Number.isFinite(amount) && amount >= 0).toBe(true);
    }
    for (const { grams, calories } of result.components) {
      expect(grams).toBeGreaterThanOrEqual(0);
      expect(calories).toBeLessThanOrEqual((CALORIES_PER_100_GRAMS_MAX * grams) / 100 + 1e-6);
    }
    const grams = result.components.reduce((total, component) => total + component.grams, 0);
    expect(grams).toBeLessThanOrEqual(GRAMS_MAX);
    expect(result.confidence).toBeGreaterThanOrEqual(0);
    expect(result.confidence).toBeLessThanOrEqual(1);
    expect(result.waterMilliliters).toBeLessThanOrEqual(GRAMS_MAX);
  }
});
