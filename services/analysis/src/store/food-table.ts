import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

import { EACH, SERVING } from "../domain/foods/food.ts";
import type { Food } from "../domain/foods/food.ts";
import { readPortions } from "../domain/foods/imported-portions.ts";
import { readFoodFile } from "../domain/foods/food-file.ts";
import { parseLanguages } from "../domain/text/language-tables.ts";
import { Lexicon } from "../domain/text/lexicon.ts";
import type { Vocabulary } from "../domain/text/lexicon.ts";
import { parseSpellings } from "../domain/text/spelling.ts";
import { readDishTable } from "./dish-table.ts";
import { storedUsdaFood } from "./usda-table.ts";
import type { UsdaFood } from "./usda-table.ts";

const FOLDER = new URL("../../foods/", import.meta.url);
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
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith(EXTENSION)).sort();
  const groups = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, FOLDER), "utf8");
      return readFoodFile(text, file.slice(0, -EXTENSION.length));
    }),
  );
  const world = await readDishTable(usda);
  const problems = [...groups, world].flatMap((read) => read.problems);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const spellings = await readFile(new URL("spellings.txt", FOLDER), "utf8");
  const [particles, names] = await Promise.all([
    readFile(new URL("languages/words.tsv", FOLDER), "utf8"),
    readFile(new URL("languages/foods.tsv", FOLDER), "utf8"),
  ]);
  const byReference = new Map(usda.map((row) => [row.reference, row]));
  return {
    foods: [
      ...groups
        .flatMap(({ rows }) => rows)
        .map(({ food }) => withPortionsOf(food, byReference.get(food.reference))),
      ...world.dishes.map(({ food }) => food),
    ],
    spellings: parseSpellings(spellings),
    languages: parseLanguages({ particles, foods: names }),
    lexicon: await readLexicon(),
  };
}

/** Groups whose foods also take USDA's portions, such as a head, a spear or a bunch. */
const WITH_USDA_PORTIONS: ReadonlySet<string> = new Set(["vegetables", "fruit"]);

/** Adds the portions of the food's USDA row that the curated table does not list. */
function withPortionsOf(food: Food, row: UsdaFood | undefined): Food {
  if (!row || !WITH_USDA_PORTIONS.has(food.group)) return food;
  const { name, portions } = storedUsdaFood(row);
  const others = readPortions(portions, name);
  for (const listed of [SERVING, EACH]) others.delete(listed);
  return { ...food, portions: new Map([...others, ...food.portions]) };
}

async function readLexicon(): Promise<Lexicon> {
  const file = await readFile(new URL("english/words.tsv.gz", FOLDER));
  const [, ...rows] = (await promisify(gunzip)(file)).toString().trimEnd().split("\n");
  return new Lexicon(rows.map((row) => row.split("\t") as [string, string]));
}
