import { readFile } from "node:fs/promises";

import { describe, expect, it } from "vitest";

import { openTable } from "./reader.ts";
import { ownLabelledLines, scoreLine, scoresOf } from "./score.ts";

const { estimate, index, reader, languages } = await openTable();

/** Foods of a line and their grams. */
function foodsOf(line: string): Record<string, number> {
  const { foods } = reader.read(line);
  return Object.fromEntries(foods.map(({ match, weight }) => [match.food.name, weight.grams]));
}

describe("a line in another language", () => {
  it.each([
    ["1.000 ml Wasser", { water: 1000 }],
    ["0,25 l Milch", { milk: 258 }],
    ["Gemüsesuppe", { "vegetable soup": 245 }],
    ["eine halbe Banane", { banana: 63 }],
    ["dos huevos fritos", { "fried egg": 110 }],
    ["50 gr beyaz peynir", { feta: 50 }],
    ["pół awokado", { avocado: 68 }],
    ["200 g Reis", { "white rice": 200 }],
    ["200 g yumurta", { egg: 200 }],
    ["fromage", { cheese: 21 }],
    ["brokuły", { broccoli: 80 }],
    ["200 g śliwek", { plum: 200 }],
    ["50 g masła i 2 jajka", { butter: 50, egg: 100 }],
    ["metade de um abacate", { avocado: 68 }],
    ["due etti di ciliegie", { cherries: 200 }],
    ["20 dag śliwek", { plum: 200 }],
    ["cem gramas de cerejas", { cherries: 100 }],
    ["zwei Snickers", { snickers: 104 }],
  ])("%s is read in it", (line, foods) => {
    const read = Object.entries(foodsOf(line)).map(([name, grams]) => [name, Math.round(grams)]);
    expect(Object.fromEntries(read)).toEqual(foods);
  });

  it("keeps its foods beside words that are not known", () => {
    expect(foodsOf("zwei qualmig gekochte Eier")).toEqual({ egg: 100 });
    expect(foodsOf("dois ovos e uma laranja antes do treino")).toEqual({ egg: 100, orange: 154 });
    expect(Object.keys(foodsOf("um copo de leite qualmigo"))).toEqual(["milk"]);
  });

  it.each(["200 g Zorblax", "Zorblaxsuppe", "Zorblax mit Reis"])(
    "%s is refused: its main food is not known",
    (line) => {
      expect(estimate(line).kind).toBe("cannot_tell");
    },
  );

  it("keeps the meaning of its language for words that two share", () => {
    expect(Object.keys(foodsOf("un pain au chocolat"))).toEqual(["pain au chocolat"]);
    expect(Object.keys(foodsOf("200 g de raisin"))).toEqual(["grape"]);
    expect(Object.keys(foodsOf("40 g raisins"))).toEqual(["raisins"]);
    expect(Object.keys(foodsOf("latte, large"))).toEqual(["latte"]);
    expect(Object.keys(foodsOf("un bicchiere di latte"))).toEqual(["milk"]);
  });

  it("is close in calories if it is one of our own labelled lines", () => {
    const lines = ownLabelledLines("languages");
    const scores = scoresOf(lines.map((line) => scoreLine(line, estimate(line.text))));
    expect(scores.answered).toBeGreaterThanOrEqual(0.9);
    expect(scores.close).toBeGreaterThanOrEqual(0.85);
  });
});

describe("the table of other languages", () => {
  it("names only foods in the food table", async () => {
    const text = await readFile(new URL("../foods/languages/foods.tsv", import.meta.url), "utf8");
    const [, ...rows] = text.trimEnd().split("\n");
    const english = rows.map((row) => row.split("\t")[0] ?? "");
    const unknown = english.filter((name) => {
      const words = reader.tokensOf(name).map(({ text: word }) => word);
      return (index.match(words)?.score ?? 0) < 0.95;
    });
    expect(unknown).toEqual([]);
  });

  it("has a cell for each language in each row", async () => {
    for (const file of ["words", "foods"]) {
      const url = new URL(`../foods/languages/${file}.tsv`, import.meta.url);
      const rows = (await readFile(url, "utf8")).trimEnd().split("\n");
      const ragged = rows.filter((row) => row.split("\t").length !== languages.length + 1);
      expect(ragged).toEqual([]);
    }
  });
});
