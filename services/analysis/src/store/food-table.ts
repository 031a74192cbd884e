import { readdir, readFile } from "node:fs/promises";
import { byKey, NUTRIENTS } from "@nutrition/core/nutrients";

import { Catalogue } from "../domain/text/food-words.ts";
import { readDishFile } from "../domain/foods/dish-file.ts";
import type { Dish } from "../domain/foods/dish-file.ts";
import type { Food } from "../domain/foods/food.ts";
import { readFoodFile } from "../domain/foods/food-file.ts";
import { readTableFile } from "../domain/foods/table-file.ts";
import { parseLanguages } from "../domain/text/languages.ts";
import { Lexicon } from "../domain/text/lexicon.ts";
import type { Vocabulary } from "../domain/text/lexicon.ts";
import { parseSpellings } from "../domain/text/spelling.ts";
import { readGzippedRows, storedUsdaFood } from "./usda-table.ts";
import type { UsdaFood } from "./usda-table.ts";

const FOLDER = new URL("../../foods/", import.meta.url);
const WORLD = new URL("world/", FOLDER);
const INGREDIENTS = "ingredients.tsv";
const EXTENSION = ".tsv";

/** The curated foods that ship with the service, and what is needed to read their names. */
export interface FoodTable extends Vocabulary {
  readonly foods: readonly Food[];
}

/**
 * Reads the curated table and the dishes of the world, which are recipes over USDA's foods. Throws an
 * `Error` that lists every mistake with its file and line.
 */
export async function readFoodTable(usda: readonly UsdaFood[]): Promise<FoodTable> {
  const read = async (name: string) => readFile(new URL(name, FOLDER), "utf8");
  const groups = (await readTables(FOLDER)).map(({ name, text }) =>
    readFoodFile(text, name.slice(0, -EXTENSION.length)),
  );
  const world = await readDishTable(usda);
  const problems = [...groups, world].flatMap((file) => file.problems);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const curated = groups.flatMap(({ rows }) => rows.map(({ food }) => food));
  const spellings = parseSpellings(await read("spellings.txt"));
  return {
    foods: [...curated, ...world.dishes.map(({ food }) => food)],
    spellings,
    catalogue: new Catalogue(
      usda.map(({ name }) => name),
      spellings,
    ),
    languages: parseLanguages({
      particles: await read("languages/words.tsv"),
      foods: await read("languages/foods.tsv"),
    }),
    lexicon: await readLexicon(),
  };
}

/** The dishes of the world that ship with the service, and a sentence for each mistake. */
export async function readDishTable(
  usda: readonly UsdaFood[],
): Promise<{ dishes: Dish[]; problems: string[] }> {
  const byReference = new Map(usda.map((food) => [food.reference, food]));
  const read = readTableFile(
    await readFile(new URL(INGREDIENTS, WORLD), "utf8"),
    { file: INGREDIENTS, columns: ["ingredient", "reference"] },
    ({ ingredient, reference }, { refuse }) => {
      const food = byReference.get(reference);
      if (!food) refuse(`reference must be the code of a USDA food, not "${reference}"`);
      const stored = food && storedUsdaFood(food);
      // An unknown amount counts as 0, which is accurate enough for a dish.
      return [ingredient, byKey(NUTRIENTS, ({ key }) => stored?.[key] ?? 0)] as const;
    },
  );
  const ingredients = new Map(read.rows);
  const files = (await readTables(WORLD))
    .filter(({ name }) => name !== INGREDIENTS)
    .map(({ name, text }) => readDishFile(text, `world/${name}`, ingredients));
  return {
    dishes: files.flatMap(({ rows }) => rows),
    problems: [...read.problems, ...files.flatMap(({ problems }) => problems)],
  };
}

/** The tab-separated files of a folder by name. */
async function readTables(folder: URL): Promise<{ name: string; text: string }[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(EXTENSION)).sort();
  return Promise.all(
    names.map(async (name) => ({ name, text: await readFile(new URL(name, folder), "utf8") })),
  );
}

async function readLexicon(): Promise<Lexicon> {
  const rows = await readGzippedRows(new URL("english/words.tsv.gz", FOLDER));
  return new Lexicon(rows.map((row) => row.split("\t") as [string, string]));
}
