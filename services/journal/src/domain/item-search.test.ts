import fc from "fast-check";
import { expect, test } from "vitest";

import { searchItems } from "./item-search.ts";
import { foldedWords } from "./line-words.ts";

function search(query: string, ...lines: string[]) {
  const outcome = searchItems(
    query,
    lines.map((description) => ({ description })),
  );
  if ("match" in outcome) return outcome.match.description;
  const items = "several" in outcome ? outcome.several : outcome.nearest;
  return ["several" in outcome ? "several" : "nearest", ...items.map((item) => item.description)];
}

test("an equal line wins over lines that contain it; two equal lines are ambiguous", () => {
  expect(search("egg", "egg salad", "Egg.")).toBe("Egg.");
  expect(search("CAFE au lait", "café au lait with sugar", "Café, au lait")).toBe("Café, au lait");
  expect(search("egg", "egg", "Egg")).toEqual(["several", "egg", "Egg"]);
  expect(search("A", "A", "À")).toEqual(["several", "A", "À"]);
  expect(search("🍳", "🍳", "🥚")).toBe("🍳");
});

test.each([
  ["egg", "2 scrambled eggs", "1 egg sandwich"],
  ["beer", "1 ginger beer", "2 beers"],
  ["cookie", "cookie dough ice cream", "3 cookies"],
])("%j matches none of several lines that contain it", (query, ...lines) => {
  expect(search(query, ...lines)).toEqual(["several", ...lines]);
});

test("a line must contain all words of the query, in any order", () => {
  expect(search("toast butter", "butter on toast", "toast with jam")).toBe("butter on toast");
  expect(search("orange juice", "1 orange")).toEqual(["nearest", "1 orange"]);
});

test.each([
  ["pea", "1 pear"],
  ["corn", "80 g corned beef"],
  ["egg", "1 eggplant"],
  ["chick", "1 chicken"],
  ["cones", "chili con carne"],
  ["100 ml water", "1000 ml water"],
  ["1.5 l cola", "15 l cola"],
  ["1 egg", "2 eggs"],
  ["scrambeld eggs", "2 scrambled eggs"],
  ["chow mein", "1 chow fun"],
])("%j does not match %j", (query, line) => {
  expect(search(query, line)).toEqual(["nearest", line]);
});

test.each([
  ["tomato", "3 tomatoes"],
  ["berries", "1 berry"],
  ["cookie", "3 cookies"],
  ["loaf", "2 loaves"],
  ["glass milk", "2 glasses milk"],
  ["limon", "2 limones"],
  ["gateau", "2 gâteaux"],
  ["Tomate", "2 Tomaten"],
  ["Kartoffel", "3 Kartoffeln"],
  ["two eggs", "2 eggs"],
  ["zwei Eier", "2 Eier"],
  ["half avocado", "½ avocado"],
  ["1½ cups milk", "1 1/2 cups milk"],
  ["100 ml water", "100ml water"],
  ["1,000 ml water", "1000 ml water"],
  ["1.50 l cola", "1,5 l cola"],
  ["the beer", "2 beers"],
  ["grandma's pie", "Grandma’s pie"],
  ["my lo mein", "1 lo mein"],
  ["mein Apfel", "1 Apfel"],
  ["l'orange", "1 orange"],
])("%j matches %j", (query, line) => {
  expect(search(query, line, "ham")).toBe(line);
});

test("words without a match return at most five lines, nearest first", () => {
  const lines = ["a", "b", "c", "d", "chocolate cake", "e", "f"];
  const [kind, nearest, ...others] = search("chocolade tart", ...lines) as string[];
  expect([kind, nearest, others.length]).toEqual(["nearest", "chocolate cake", 4]);
});

test("a line always finds itself when no other is equal", () => {
  const foldedLine = (text: string) => foldedWords(text).join(" ") || text;
  const line = fc
    .string({ unit: "grapheme", minLength: 1 })
    .map((text) => text.normalize("NFC").trim());
  fc.assert(
    fc.property(
      fc.uniqueArray(line, { minLength: 1, maxLength: 6, selector: foldedLine }),
      (lines) => {
        expect(search(lines[0]!, ...lines)).toBe(lines[0]);
      },
    ),
  );
});
