import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { NUTRIENT_KEYS } from "@nutrition/core/nutrients";
import type { NutrientAmounts } from "@nutrition/core/nutrients";

import type { NamedFood } from "../domain/matching/food-ranking.ts";
import type { StoredFood } from "./imported-foods.ts";

const FILE = new URL("../../foods/usda/foods.tsv.gz", import.meta.url);
/** Columns before the nutrients, which are in the order of the registry, then alcohol and portions. */
const NAMES = ["reference", "name", "aliases"];

/** A food of USDA's tables; `row` holds its figures, which are parsed on demand. */
export interface UsdaFood extends NamedFood {
  /** Other names, separated by commas or semicolons. */
  readonly aliases: string;
  readonly row: string;
}

/** The rows of a gzipped table without its headings. */
export async function readGzippedRows(file: URL): Promise<string[]> {
  const text = (await promisify(gunzip)(await readFile(file))).toString();
  return text.trimEnd().split("\n").slice(1);
}

/** The foods of FNDDS and SR28 that ship with the service. */
export async function readUsdaFoods(): Promise<UsdaFood[]> {
  const rows = await readGzippedRows(FILE);
  return rows.map((row) => {
    const [reference = "", name = "", aliases = ""] = row.split("\t", NAMES.length);
    return { reference, name, aliases, row };
  });
}

/** The food with its figures and portions. */
export function storedUsdaFood({ reference, name, row }: UsdaFood): StoredFood {
  const cells = row.split("\t").slice(NAMES.length);
  const figures = NUTRIENT_KEYS.map((key, at) => [key, cells[at] ? Number(cells[at]) : null]);
  const portions = (cells.at(-1) ?? "").split("|").flatMap((portion) => {
    const [named = "", grams] = portion.split("=");
    return grams === undefined ? [] : [{ name: named, grams: Number(grams) }];
  });
  return {
    ...(Object.fromEntries(figures) as NutrientAmounts),
    reference,
    name,
    source: reference.startsWith("sr28:") ? "reference" : "survey",
    brand: null,
    gtin: null,
    portions,
  };
}
