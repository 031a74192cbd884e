import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { problemsOf } from "./food-check.ts";
import { type Dish, ESTIMATE, readFoods } from "../src/domain/foods/food-tables.ts";
import { readDishTable, readUsdaFoods } from "../src/store/food-table.ts";
import { openTable } from "./reader.ts";

const FOLDER = new URL("../foods/", import.meta.url);
const { rows: dishes, problems } = await readDishTable(await readUsdaFoods());
const { estimate } = await openTable();

/** Usual range of kcal per 100 g, by sort of dish. */
const CALORIES: Readonly<Record<string, readonly [least: number, most: number]>> = {
  bread: [130, 430],
  drink: [5, 130],
  dumpling: [90, 340],
  egg: [60, 300],
  grilled: [90, 370],
  meal: [70, 310],
  noodles: [80, 260],
  pastry: [180, 480],
  porridge: [40, 270],
  rice: [90, 290],
  salad: [20, 260],
  sandwich: [130, 420],
  sauce: [20, 680],
  side: [25, 340],
  snack: [110, 640],
  soup: [15, 160],
  stew: [50, 280],
  sweet: [90, 590],
};
/** Possible cooked weight as a share of the ingredients: water evaporates, and nothing is added. */
const COOKED_MIN = 0.4;
const COOKED_MAX = 1.005;
const SOURCE = /^(?:estimate|https?:\/\/\S+|(?:sr28|fndds2021):\d+)$/;

const where = ({ place, food }: Dish) => `${place} ${food.name}`;
const failing = (isRight: (dish: Dish) => boolean) =>
  dishes.filter((dish) => !isRight(dish)).map(where);

describe("the dishes of the world", () => {
  it("have only ingredients with existing codes", () => expect(problems).toEqual([]));

  it("are at least 400 of at least 20 cuisines", () => {
    expect(dishes.length).toBeGreaterThanOrEqual(400);
    const cuisines = Map.groupBy(dishes, ({ cuisine }) => cuisine.replace(/ \(.*/, ""));
    expect([...cuisines.values()].filter(({ length }) => length >= 5).length).toBeGreaterThan(20);
  });

  it("have a cooked weight that their ingredients allow", () => {
    const share = ({ ingredients, cooked }: Dish) =>
      cooked / ingredients.reduce((sum, [, grams]) => sum + grams, 0);
    expect(failing((dish) => share(dish) >= COOKED_MIN && share(dish) <= COOKED_MAX)).toEqual([]);
  });

  it("have the usual energy of their sort", () => {
    const isPlausible = ({ sort, food }: Dish) => {
      const [least, most] = CALORIES[sort] ?? [Infinity, 0];
      const { calories } = food.per100Grams;
      return calories >= least && calories <= most;
    };
    expect(failing(isPlausible)).toEqual([]);
  });

  it("name each ingredient once, and the source of the recipe", () => {
    const isDistinct = ({ ingredients }: Dish) => new Map(ingredients).size === ingredients.length;
    expect(failing(isDistinct)).toEqual([]);
    expect(failing(({ source }) => SOURCE.test(source))).toEqual([]);
  });

  it("are valid foods, and share no name with each other or the curated table", () => {
    const curated = readdirSync(FOLDER)
      .filter((name) => name.endsWith(".tsv"))
      .flatMap((name) => readFoods(readFileSync(new URL(name, FOLDER), "utf8"), name).rows);
    expect(problemsOf([...curated, ...dishes])).toEqual([]);
  });

  it("do not claim words of other languages for plainer food", () => {
    const rows = readFileSync(new URL("languages/foods.tsv", FOLDER), "utf8").split("\n").slice(1);
    const words = new Set(
      rows.flatMap((row) => row.split(/[\t,]/).slice(1)).map((name) => name.trim()),
    );
    // Scrambled eggs in the table, which has no tomatoes in its own.
    const named = dishes.flatMap(({ food }) => [food.name, ...food.aliases]);
    expect(named.filter((name) => words.has(name) && name !== "menemen")).toEqual([]);
  });

  it("are found by each of their names", () => {
    const lost = dishes.flatMap(({ food }) =>
      [food.name, ...food.aliases].filter(
        (name) => referenceOf(`250 g ${name}`) !== food.reference,
      ),
    );
    expect(lost).toEqual([]);
  });

  it("have at most 0.6 confidence if they are estimates", () => {
    const surest = dishes
      .filter(({ source }) => source === ESTIMATE)
      .map(({ food }) => estimate(`250 g ${food.name}`))
      .map((result) => (result.kind === "estimate" ? result.confidence : 0));
    expect(Math.max(...surest)).toBeLessThanOrEqual(0.6);
  });
});

function referenceOf(line: string): string | undefined {
  const result = estimate(line);
  return result.kind === "estimate" ? result.components[0]?.reference : undefined;
}
