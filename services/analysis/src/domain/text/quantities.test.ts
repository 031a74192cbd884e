import { describe, expect, it } from "vitest";

import { readNumberWords } from "./quantities.ts";
import { type Token, tokenize } from "./tokens.ts";

function read(line: string): (string | number)[] {
  const tokens = readNumberWords(tokenize(line));
  const valueOf = (token: Token) => (token.kind === "number" ? token.value : token.kind);
  return tokens.map((token) => (token.kind === "word" ? token.text : valueOf(token)));
}

describe("amounts in words become numbers", () => {
  it.each([
    ["two eggs", [2, "egg"]],
    ["twelve oysters", [12, "oyster"]],
    ["an apple", [1, "apple"]],
    ["half a banana", [0.5, "banana"]],
    ["half of the pizza", [0.5, "pizza"]],
    ["a half bagel", [0.5, "bagel"]],
    ["one half bagel", [0.5, "bagel"]],
    ["one and a half cups", [1.5, "cup"]],
    ["2 and 1/2 cups", [2.5, "cup"]],
    ["a couple of cookies", [2, "of", "cookie"]],
    ["a few grapes", [3, "grape"]],
    ["a dozen eggs", [12, "egg"]],
    ["half a dozen eggs", [6, "egg"]],
    ["two dozen eggs", [24, "egg"]],
    ["three quarters of pie", [0.75, "of", "pie"]],
    ["twenty five almonds", [25, "almond"]],
    ["a hundred grams", [100, "gram"]],
    ["one hundred fifty grams", [150, "gram"]],
    ["two hundred and twenty grams", [220, "gram"]],
    ["two hundred and an apple", [200, "and", 1, "apple"]],
  ])("%s", (line, expected) => {
    expect(read(line)).toEqual(expected);
  });
});

describe("words that only sound like an amount stay", () => {
  it.each([
    ["half and half", ["halfandhalf"]],
    ["quarter pounder", ["quarter", "pounder"]],
    ["1 grapefruit half", [1, "grapefruit", "half"]],
    ["2 half peaches", [2, "half", "peach"]],
    ["2 peach halves in juice", [2, "peach", "half", "in", "juice"]],
    ["eggs and one apple", ["egg", "and", 1, "apple"]],
  ])("%s", (line, expected) => {
    expect(read(line)).toEqual(expected);
  });
});
