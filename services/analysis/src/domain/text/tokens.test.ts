import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { TOKENS_MAX, tokenize, wordsOf } from "./tokens.ts";

function numbersIn(line: string): number[] {
  return tokenize(line).flatMap((token) => (token.kind === "number" ? token.value : []));
}

describe("numbers", () => {
  it.each([
    ["2", 2],
    ["2.5", 2.5],
    ["2,5", 2.5],
    ["1,000", 1000],
    ["0,250", 0.25],
    [".5", 0.5],
    ["1/2", 0.5],
    ["1 1/2", 1.5],
    ["½", 0.5],
    ["1½", 1.5],
    ["2 ¾", 2.75],
    ["2-3", 2.5],
    ["2 – 3", 2.5],
    ["2 to 4", 3],
    ["1/2-1", 0.75],
    ["3/0", 3],
  ])("%s is read as %d", (text, value) => {
    expect(numbersIn(`${text} eggs`)).toEqual([value]);
  });

  it("are split from the unit that follows at once", () => {
    expect(wordsOf(tokenize("200g"))).toEqual(["200", "g"]);
  });

  it("with a percent sign belong to the name", () => {
    expect(wordsOf(tokenize("2% milk"))).toEqual(["2%", "milk"]);
  });
});

describe("words", () => {
  it("come in lower case, without accents, in the singular and in the table's spelling", () => {
    expect(wordsOf(tokenize("Crème Brûlées, Whole-Wheat yoghurts"))).toEqual([
      "creme",
      "brulee",
      "wholewheat",
      "yogurt",
    ]);
  });

  it("stand for inches, of which a large tortilla has fewer than a large pizza", () => {
    expect(wordsOf(tokenize("10 inch pizza"))).toEqual(["medium", "pizza"]);
    expect(wordsOf(tokenize('10" tortilla'))).toEqual(["large", "tortilla"]);
  });

  it("stand for signs", () => {
    expect(wordsOf(tokenize("mac & cheese w/ ham w/o salt"))).toEqual(
      "mac and cheese with ham without salt".split(" "),
    );
  });
});

it("any text gives a bounded number of pieces with finite, non-negative values", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 500 }), (text) => {
      const tokens = tokenize(text);
      expect(tokens.length).toBeLessThanOrEqual(TOKENS_MAX + 2);
      for (const token of tokens) {
        if (token.kind !== "number") continue;
        expect(Number.isFinite(token.value)).toBe(true);
        expect(token.value).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});
