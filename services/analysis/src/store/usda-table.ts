import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

import type { ListedFood } from "../domain/matching/word-index.ts";
import type { StoredFood } from "./stored-food.ts";

const FILE = new URL("../../foods/usda/foods.tsv.gz", import.meta.url);
const FIGURES_AT = 3;
const FIGURES_COUNT = 8;

/** A food of USDA's tables; its figures are read when they are asked for. */
export interface UsdaFood extends ListedFood {
  readonly row: string;
}

/** The foods of FNDDS and SR28 that the product carries. */
export async function readUsdaFoods(): Promise<UsdaFood[]> {
  const text = (await promisify(gunzip)(await readFile(FILE))).toString();
  const [, ...rows] = text.trimEnd().split("\n");
  return rows.map((row) => {
    const [reference = "", name = "", aliases = ""] = row.split("\t", FIGURES_AT);
    return { reference, name, aliases, row };
  });
}

/** The food with its figures and portions. */
export function storedUsdaFood({ reference, name, row }: UsdaFood): StoredFood {
  const cells = row.split("\t").slice(FIGURES_AT);
  const figures = cells.slice(0, FIGURES_COUNT).map((cell) => (cell === "" ? null : Number(cell)));
  const [calories = null, protein = null, carbs = null, fat = null, sugar = null] = figures;
  const [fiber = null, sodium = null] = figures.slice(5);
  const portions = (cells[FIGURES_COUNT] ?? "").split("|").flatMap((portion) => {
    const [named = "", grams] = portion.split("=");
    return grams === undefined ? [] : [{ name: named, grams: Number(grams) }];
  });
  return {
    reference,
    name,
    source: reference.startsWith("sr28:") ? "reference" : "survey",
    brand: null,
    gtin: null,
    calories: calories ?? 0,
    ...{ protein, carbs, fat, sugar, fiber, sodium },
    portions,
  };
}
