import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { brandWords, foldWords, headWords, possibleBrands } from "../text/food-words.ts";
import { exampleImport, WORDS } from "../../../test/example-foods.ts";
import { textQuery } from "../../retrieval/imported-foods.ts";
import { FoodIndex } from "./food-index.ts";
import { rankFoods, QueryReader } from "./search-queries.ts";

const reader = new QueryReader(new FoodIndex([], WORDS));
const read = (text: string) => reader.read(text);

describe("a search text", () => {
  test.each([
    ["cup of coffee", "coffee"],
    ["2 cups of coffee", "coffee"],
    ["a large glass of orange juice", "orange juice"],
    ["150 g chicken breast", "chicken breast"],
    ["two slices of toast", "toast"],
    ["2% milk", "2 milk"],
    ["glass noodles", "glass noodles"],
    ["cup", "cup"],
    ["Crème brûlée", "creme brulee"],
    ["ben & jerry's", "ben jerrys"],
  ])("%s looks for %s", (text, words) => {
    expect(read(text).words.join(" ")).toBe(words);
  });

  test("finds synonyms in both directions", () => {
    expect(textQuery(read("greek yoghurt").terms, "all")).toBe(
      "(('greek')) & (('yoghurt') | ('yogurt'))",
    );
    expect(textQuery(read("wholewheat").terms, "all")).toContain("('whole' & 'meal')");
    expect(textQuery(read("whole meal").terms, "all")).toContain("('wholewheat')");
  });

  test("makes queries of letters, digits and its own signs only", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        const { words, terms } = read(text);
        expect(words.length).toBeLessThanOrEqual(12);
        for (const query of [textQuery(terms, "all"), textQuery(terms, "any")]) {
          expect(query).toMatch(/^(?:'[\p{L}\p{N}]+'|[ &|()])*$/u);
        }
      }),
    );
  });

  test("does not rank a name lower for a word in the query", () => {
    const names = ["Peaches, raw", "Peaches, canned"];
    const foods = names.map((name) => exampleImport({ reference: name, name }));
    const first = (text: string) => rankFoods(foods, read(text), 1)[0]?.food.name;
    expect(first("peaches")).toBe("Peaches, raw");
    expect(first("canned peaches")).toBe("Peaches, canned");
  });
});

describe("a food's name", () => {
  test.each([
    ["Nuts, almonds, dry roasted", "almonds"],
    ["Cheese, cottage", "cheese"],
    ["Fish, salmon, raw", "salmon"],
    ["Beverages", "beverages"],
    ["Honey", "honey"],
  ])("%s is of %s", (name, head) => {
    expect(headWords(name)).toBe(head);
  });

  test("is folded to the same words however often", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        expect(foldWords(foldWords(text))).toBe(foldWords(text));
      }),
    );
  });
});

describe("a brand", () => {
  test.each([
    ["Ben & Jerry's Homemade, Inc.", "ben jerrys homemade"],
    ["The Kroger Co.", "kroger"],
    ["GREAT VALUE", "great value"],
    ["Company", "company"],
  ])("%s is known as %s", (brand, words) => {
    expect(brandWords(brand)).toBe(words);
  });

  test("is found anywhere in the words, the longest first", () => {
    const brands = possibleBrands(["great", "value", "milk"]);
    expect(brands[0]).toBe("great value milk");
    expect(brands).toContain("great value");
    expect(brands.indexOf("great value")).toBeLessThan(brands.indexOf("great"));
  });
});
