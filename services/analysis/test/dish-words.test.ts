import { describe, expect, it } from "vitest";

import dishes from "../foods/words/dishes.json" with { type: "json" };
import { phraseOf } from "../src/domain/text/tokens.ts";
import { openTable } from "./reader.ts";

const { index, reader } = await openTable();

/** As the reader spells it: singular, in the table's spelling. */
const spelt = (text: string) => phraseOf(reader.tokensOf(text));

const held = dishes.holding.flatMap(({ dishes: names, ingredients }) =>
  ingredients.map((ingredient) => ({ ...ingredient, dishes: names })),
);

/** The phrases that are no food of the table. */
const unknown = (phrases: readonly string[]) =>
  phrases.filter((phrase) => !index.findByName(spelt(phrase)));

/** The words that no name in the table has. */
const unused = (names: readonly string[]) =>
  names.flatMap((name) => spelt(name).split(" ")).filter((word) => !index.knows(word));

describe("what dishes contain", () => {
  it("is food of the table, in dishes that its names mention", () => {
    expect(unknown(held.map(({ food }) => food))).toEqual([]);
    expect(unused(held.flatMap(({ dishes: names, called }) => [...names, ...called]))).toEqual([]);
  });

  it("has plausible weights, the maximum above the minimum", () => {
    for (const { grams, gramsMax = grams } of held as { grams: number; gramsMax?: number }[]) {
      expect(grams).toBeGreaterThanOrEqual(0);
      expect(gramsMax).toBeGreaterThanOrEqual(grams);
      expect(gramsMax).toBeLessThanOrEqual(200);
    }
  });

  it("is listed once for each ingredient and dish", () => {
    const lists = dishes.holding.map(({ dishes: names }) => names.join(" "));
    expect(new Set(lists).size).toBe(lists.length);
  });
});

it("the bases of assembled dishes and the meals are food of the table", () => {
  expect(unknown(dishes.assembled.flatMap(({ base }) => base ?? []))).toEqual([]);
  expect(unknown(dishes.meals)).toEqual([]);
  expect(unused(dishes.assembled.flatMap(({ bases }) => bases))).toEqual([]);
});

it("the own parts of dishes are words of names in the table", () => {
  expect(unused(dishes.ownParts.flatMap(({ parts }) => parts))).toEqual([]);
});
