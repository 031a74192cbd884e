import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { isNear, nearestWord, respell, singular } from "./words.ts";

describe("the singular", () => {
  it.each([
    ["eggs", "egg"],
    ["berries", "berry"],
    ["potatoes", "potato"],
    ["mangoes", "mango"],
    ["glasses", "glass"],
    ["sandwiches", "sandwich"],
    ["leaves", "leaf"],
    ["cookies", "cookie"],
    ["cheeses", "cheese"],
    ["quiches", "quiche"],
    ["hummus", "hummus"],
    ["couscous", "couscous"],
    ["asparagus", "asparagus"],
    ["swiss", "swiss"],
    ["gas", "gas"],
  ])("of %s is %s", (plural, expected) => {
    expect(singular(plural)).toBe(expected);
  });
});

describe("near words", () => {
  it.each([
    ["strawbery", "strawberry", 1],
    ["brocoli", "broccoli", 1],
    ["banan", "banana", 1],
    ["tometo", "tomato", 1],
    ["yougrt", "yogurt", 2],
    ["chikcen", "chicken", 1],
  ])("%s is near %s", (left, right, edits) => {
    expect(isNear(left, right, edits)).toBe(true);
  });

  it("are not those that differ by more", () => {
    expect(isNear("bread", "beard", 0)).toBe(false);
    expect(isNear("mango", "melon", 1)).toBe(false);
  });

  it("are symmetric, and within as many edits as letters were dropped", () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/);
    fc.assert(
      fc.property(word, fc.nat(), (text, seed) => {
        const at = seed % text.length;
        const shorter = text.slice(0, at) + text.slice(at + 1);
        expect(isNear(text, shorter, 1)).toBe(true);
        expect(isNear(shorter, text, 1)).toBe(true);
      }),
    );
  });
});

describe("a misspelt word", () => {
  const like = (word: string, ...words: [string, number][]) =>
    nearestWord(
      word,
      words.map(([like, foods]) => ({ like, foods })),
    );

  it("means the nearest word, of equally near ones the most common", () => {
    expect(like("chiken", ["chicken", 900], ["chickpea", 30])).toBe("chicken");
    expect(like("bred", ["bread", 400], ["bre", 1])).toBe("bread");
  });

  it("has no meaning if no word is similar", () => {
    expect(like("xyzzy", ["xylitol", 3])).toBeUndefined();
    expect(like("tee", ["tomato", 500])).toBeUndefined();
  });
});

it("spellings of two words are replaced as well as those of one", () => {
  expect(respell(["whole", "wheat", "yoghurt"])).toEqual(["wholewheat", "yogurt"]);
});
