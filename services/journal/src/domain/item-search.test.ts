import fc from "fast-check";
import { expect, test } from "vitest";

import { searchItems } from "./item-search.ts";

function search(query: string, ...lines: string[]) {
  const outcome = searchItems(
    query,
    lines.map((description) => ({ description })),
  );
  if ("match" in outcome) return outcome.match.description;
  const items = "several" in outcome ? outcome.several : outcome.nearest;
  return ["several" in outcome ? "several" : "nearest", ...items.map((item) => item.description)];
}

test("the same line wins over lines that contain it", () => {
  expect(search("egg", "egg salad", "egg", "Egg")).toBe("egg");
});

test("case, diacritics and punctuation are folded before words are looked for", () => {
  expect(search("CAFE au lait", "café au lait with sugar", "Café, au lait")).toBe("Café, au lait");
});

test("all words of the query have to be in the line, in any order", () => {
  expect(search("toast butter", "butter on toast", "toast with jam")).toBe("butter on toast");
});

test("one and several are the same food, a longer word is not", () => {
  expect(search("egg", "2 scrambled eggs", "eggplant")).toBe("2 scrambled eggs");
  expect(search("tomatoes", "1 tomato", "tomato soup", "ham")).toEqual([
    "several",
    "1 tomato",
    "tomato soup",
  ]);
  expect(search("egg", "egg on toast", "2 scrambled eggs")).toBe("egg on toast");
});

test("a slip of the finger is forgiven, another food is not", () => {
  expect(search("scrambeld eggs", "2 scrambled eggs", "apple pie")).toBe("2 scrambled eggs");
  expect(search("apple juice", "apple pie")).toEqual(["nearest", "apple pie"]);
});

test("several matches on the deciding step are all told, and nothing is chosen", () => {
  expect(search("egg", "2 egg", "egg salad", "ham")).toEqual(["several", "2 egg", "egg salad"]);
  expect(search("egg", "egg", "egg")).toEqual(["several", "egg", "egg"]);
});

test("words that match nothing give at most five lines, the nearest first", () => {
  const lines = ["a", "b", "c", "d", "chocolate cake", "e", "f"];
  const [kind, nearest, ...others] = search("chocolade tart", ...lines) as string[];
  expect([kind, nearest, others.length]).toEqual(["nearest", "chocolate cake", 4]);
});

test("a line is always found by itself when no other is the same", () => {
  const line = fc
    .string({ unit: "grapheme", minLength: 1 })
    .map((text) => text.normalize("NFC").trim());
  fc.assert(
    fc.property(fc.uniqueArray(line, { minLength: 1, maxLength: 6 }), (lines) => {
      expect(search(lines[0]!, ...lines)).toBe(lines[0]);
    }),
  );
});
