import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { NUTRIENT_KEYS } from "@nutrition/core/nutrients";

import { type Food, NO_NUTRIENTS } from "../domain/foods/food.ts";
import { INGREDIENT, readDishes, readFoods, readTable } from "../domain/foods/food-tables.ts";
import type { Dish, Table } from "../domain/foods/food-tables.ts";
import type { ImportedFood, NewFood } from "../domain/foods/imported-food.ts";
import { Catalogue } from "../domain/text/food-words.ts";
import { parseLanguages } from "../domain/text/languages.ts";
import { Lexicon, type Vocabulary } from "../domain/text/vocabulary.ts";

const FOLDER = new URL("../../foods/", import.meta.url);
const WORLD = new URL("world/", FOLDER);
const INGREDIENTS = "ingredients.tsv";
const EXTENSION = ".tsv";

/** The curated foods that ship with the service, and what is needed to read their names. */
export interface FoodTable extends Vocabulary {
  readonly foods: readonly Food[];
}

/** Reads the curated table and the dishes of the world; throws an `Error` that lists each mistake with its place. */
export async function readFoodTable(usda: readonly ImportedFood[]): Promise<FoodTable> {
  const read = async (name: string) => readFile(new URL(name, FOLDER), "utf8");
  const groups = (await readFiles(FOLDER)).map(({ name, text }) =>
    readFoods(text, name.slice(0, -EXTENSION.length)),
  );
  const tables = [...groups, await readDishTable(usda)];
  const problems = tables.flatMap((table) => table.problems);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const words = await readGzippedRows(new URL("english/words.tsv.gz", FOLDER));
  return {
    foods: tables.flatMap(({ rows }) => rows.map(({ food }) => food)),
    catalogue: new Catalogue(usda.map(({ name }) => name)),
    languages: parseLanguages({
      particles: await read("languages/words.tsv"),
      foods: await read("languages/foods.tsv"),
    }),
    lexicon: new Lexicon(words.map((row) => row.split("\t") as [string, string])),
  };
}

/** The dishes of the world that ship with the service. */
export async function readDishTable(usda: readonly ImportedFood[]): Promise<Table<Dish>> {
  const figures = new Map(usda.map((food) => [food.reference, food]));
  const text = await readFile(new URL(INGREDIENTS, WORLD), "utf8");
  const listed = readTable(text, INGREDIENTS, INGREDIENT);
  const unknown = listed.rows.filter(({ reference }) => !figures.has(reference));
  // An unknown amount counts as 0, which is accurate enough for a dish.
  const ingredients = new Map(
    listed.rows.map(({ ingredient, reference }) => [
      ingredient,
      { ...NO_NUTRIENTS, ...figures.get(reference)?.per100Grams },
    ]),
  );
  const tables = (await readFiles(WORLD))
    .filter(({ name }) => name !== INGREDIENTS)
    .map(({ name, text }) => readDishes(text, `world/${name}`, ingredients));
  return {
    rows: tables.flatMap(({ rows }) => rows),
    problems: [
      ...unknown.map(({ place, reference }) => `${place}: no USDA food has the code ${reference}.`),
      ...[listed, ...tables].flatMap(({ problems }) => problems),
    ],
  };
}

/** The tab-separated files of a folder by name. */
async function readFiles(folder: URL): Promise<{ name: string; text: string }[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(EXTENSION)).sort();
  return Promise.all(
    names.map(async (name) => ({ name, text: await readFile(new URL(name, folder), "utf8") })),
  );
}

/** Number of columns of USDA's table before the nutrients, which are in the order of the registry. */
const NAMES = 3;

/** A food of USDA's tables. Its figures are parsed on demand, because most are never needed. */
class UsdaFood implements NewFood {
  readonly reference;
  readonly name;
  /** One text, separated by commas or semicolons. */
  readonly aliases;
  readonly brand = "";
  readonly gtin = "";
  readonly #row;

  constructor(row: string) {
    const [reference = "", name = "", aliases = ""] = row.split("\t", NAMES);
    this.reference = reference;
    this.name = name;
    this.aliases = [aliases];
    this.#row = row;
  }

  get source() {
    return this.reference.startsWith("sr28:") ? "reference" : "survey";
  }

  get per100Grams() {
    const figures = this.#cells();
    const known = NUTRIENT_KEYS.flatMap((key, at) =>
      figures[at] ? [[key, Number(figures[at])]] : [],
    );
    return { calories: 0, ...Object.fromEntries(known) };
  }

  get portions() {
    const named = (this.#cells().at(-1) ?? "").split("|").map((portion) => portion.split("="));
    return named.flatMap(([name = "", grams]) => (grams ? [{ name, grams: Number(grams) }] : []));
  }

  #cells(): string[] {
    return this.#row.split("\t").slice(NAMES);
  }
}

/** The rows of a gzipped table without its headings. */
async function readGzippedRows(file: URL): Promise<string[]> {
  const text = (await promisify(gunzip)(await readFile(file))).toString();
  return text.trimEnd().split("\n").slice(1);
}

/** The foods of FNDDS and SR28 that ship with the service. */
export async function readUsdaFoods(): Promise<NewFood[]> {
  return (await readGzippedRows(new URL("usda/foods.tsv.gz", FOLDER))).map(
    (row) => new UsdaFood(row),
  );
}
