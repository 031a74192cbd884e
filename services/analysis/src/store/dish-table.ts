import { readdir, readFile } from "node:fs/promises";

import type { DishFile, Ingredient } from "../domain/foods/dish-file.ts";
import { readDishFile } from "../domain/foods/dish-file.ts";
import { storedUsdaFood } from "./usda-table.ts";
import type { UsdaFood } from "./usda-table.ts";

const FOLDER = new URL("../../foods/world/", import.meta.url);
const INGREDIENTS = "ingredients.tsv";
const HEAD = "ingredient\treference";

/** The dishes of the world that the product carries, and what is wrong with their files. */
export async function readDishTable(usda: readonly UsdaFood[]): Promise<DishFile> {
  const byReference = new Map(usda.map((food) => [food.reference, food]));
  const [head, ...rows] = (await readText(INGREDIENTS)).trimEnd().split("\n");
  if (head !== HEAD) throw new Error(`${INGREDIENTS}:1: name the columns: ${HEAD}.`);
  const named = rows.map((row) => ingredientOf(row, byReference));
  const ingredients = new Map(named.flatMap(({ ingredient }) => (ingredient ? [ingredient] : [])));
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(".tsv")).sort();
  const read = await Promise.all(
    files
      .filter((file) => file !== INGREDIENTS)
      .map(async (file) => readDishFile(await readText(file), `world/${file}`, ingredients)),
  );
  return {
    dishes: read.flatMap(({ dishes }) => dishes),
    problems: [
      ...named.flatMap(({ problem }) => problem ?? []),
      ...read.flatMap(({ problems }) => problems),
    ],
  };
}

function readText(file: string): Promise<string> {
  return readFile(new URL(file, FOLDER), "utf8");
}

/** A figure that the table does not know counts as none: of dishes, that is near enough. */
function ingredientOf(
  row: string,
  byReference: ReadonlyMap<string, UsdaFood>,
): { ingredient?: readonly [string, Ingredient]; problem?: string } {
  const [name = "", reference = ""] = row.split("\t");
  const food = byReference.get(reference);
  if (!food) return { problem: `world/${INGREDIENTS}: ${name}: no row has the code ${reference}.` };
  const { calories, protein, carbs, fat, sugar, fiber, sodium } = storedUsdaFood(food);
  const known = { protein, carbs, fat, sugar, fiber, sodium };
  const figures = Object.entries(known).map(([figure, amount]) => [figure, amount ?? 0]);
  const per100Grams = { calories, ...Object.fromEntries(figures) };
  return { ingredient: [name, { reference, per100Grams }] };
}
