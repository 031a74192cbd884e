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

/** Phrases that name no food in the table. */
const unknown = (phrases: readonly string[]) =>
  phrases.filter((phrase) => !index.findByName(spelt(phrase)));

/** The words that no name in the table has. */
const unused = (names: readonly string[]) =>
  names.flatMap((name) => spelt(name).split(" ")).filter((word) => !index.knows(word));

describe("what dishes contain", () => {
  it("is a food in the table, and its dishes are mentioned in names", () => {
    expect(unknown(held.map(({ food }) => food))).toEqual([]);
    expect(unused(held.flatMap(({ dishes: names, called }) => [...names, ...called]))).toEqual([]);
  });

  it("weighs up to 200 g, with no maximum below its minimum", () => {
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

it("meals and the bases of assembled dishes are foods in the table", () => {
  expect(unknown(dishes.assembled.flatMap(({ base }) => base ?? []))).toEqual([]);
  expect(unknown(dishes.meals)).toEqual([]);
  expect(unused(dishes.assembled.flatMap(({ bases }) => bases))).toEqual([]);
});

it("parts of dishes are words that occur in names", () => {
  expect(unused(dishes.ownParts.flatMap(({ parts }) => parts))).toEqual([]);
});

it.each([
  ["fish 'n' chips", "fish and chips"],
  ["salt n vinegar crisps", "salt and vinegar crisps"],
  ["a plate of rice n beans", "a plate of rice and beans"],
])("%s is the same as %s", (short, long) => {
  const [one, other] = [short, long].map((line) => reader.read(line).foods);
  expect(one?.map(({ match }) => match.food.name)).toEqual(
    other?.map(({ match }) => match.food.name),
  );
  expect(one).toHaveLength(1);
  expect(one?.[0]?.weight.assumption).toBe(other?.[0]?.weight.assumption);
});
