import { readdir, readFile } from "node:fs/promises";
import { byKey, NUTRIENTS } from "@nutrition/core/nutrients";

import type { Dish } from "../domain/foods/dish-file.ts";
import { readDishFile } from "../domain/foods/dish-file.ts";
import { readTableFile } from "../domain/foods/table-file.ts";
import { storedUsdaFood } from "./usda-table.ts";
import type { UsdaFood } from "./usda-table.ts";

const FOLDER = new URL("../../foods/world/", import.meta.url);
const INGREDIENTS = "ingredients.tsv";

/** The dishes of the world that ship with the service, and a sentence for each mistake. */
export async function readDishTable(
  usda: readonly UsdaFood[],
): Promise<{ dishes: Dish[]; problems: string[] }> {
  const byReference = new Map(usda.map((food) => [food.reference, food]));
  const read = readTableFile(
    await readFile(new URL(INGREDIENTS, FOLDER), "utf8"),
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
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".tsv")).sort();
  const files = await Promise.all(
    names
      .filter((name) => name !== INGREDIENTS)
      .map(async (name) =>
        readDishFile(await readFile(new URL(name, FOLDER), "utf8"), `world/${name}`, ingredients),
      ),
  );
  return {
    dishes: files.flatMap(({ rows }) => rows),
    problems: [...read.problems, ...files.flatMap(({ problems }) => problems)],
  };
}
