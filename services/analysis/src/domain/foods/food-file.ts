import { NUTRIENTS } from "@nutrition/core/nutrients";
import type { NutrientKey } from "@nutrition/core/nutrients";

import type { Food, FoodKind } from "./food.ts";
import { knownNutrients } from "./nutrients.ts";
import { readAmounts, readList, readTableFile } from "./table-file.ts";
import type { Row, RowContext, TableFile } from "./table-file.ts";

/** Headings of the nutrients: `kcal`, `protein`, `sodium_mg`. */
const FIGURES = NUTRIENTS.map(({ key, unit }): [NutrientKey, string] => {
  if (unit === "g") return [key, key];
  return [key, unit === "kcal" ? unit : `${key}_${unit}`];
});

/** Columns of a food file, in order. */
export const COLUMNS: readonly string[] = [
  "name",
  "aliases",
  "kind",
  ...FIGURES.map(([, heading]) => heading),
  "alcohol",
  "density",
  "portions",
  "reference",
];

/** A food and where its file lists it, such as `bakery.tsv:12`. */
export interface ListedFood {
  readonly food: Food;
  readonly place: string;
}

const AMOUNT = /^\d+(\.\d+)?$/;

/**
 * Reads one tab-separated food file; `group` is its name without `.tsv`. Figures are per 100 g,
 * `density` is in grams per milliliter, and `portions` are in grams, such as `slice 28; cup 120`.
 */
export function readFoodFile(text: string, group: string): TableFile<ListedFood> {
  const file = { file: `${group}.tsv`, columns: COLUMNS };
  return readTableFile(text, file, (row, context) => ({
    food: readFood(row, group, context),
    place: context.place,
  }));
}

function readFood(row: Row<string>, group: string, { refuse }: RowContext): Food {
  const cell = (column: string) => row[column] ?? "";
  /** Blank is unknown. */
  const amount = (column: string): number | undefined => {
    const text = cell(column);
    if (AMOUNT.test(text)) return Number(text);
    if (text !== "") refuse(`${column} must be a number or blank, not "${text}"`);
    return undefined;
  };
  if (cell("name").trim() === "") refuse("name must not be blank");
  if (cell("kcal") === "") refuse("kcal must not be blank");
  return {
    name: cell("name"),
    aliases: readList(cell("aliases")),
    group,
    kind: readKind(cell("kind"), refuse),
    per100Grams: knownNutrients(
      Object.fromEntries(FIGURES.map(([key, heading]) => [key, amount(heading)])),
    ),
    alcoholPer100Grams: amount("alcohol") ?? 0,
    gramsPerMilliliter: amount("density"),
    portions: readPortions(cell("portions"), refuse),
    reference: cell("reference"),
  };
}

function readKind(text: string, refuse: RowContext["refuse"]): FoodKind {
  if (text === "food" || text === "drink" || text === "water") return text;
  refuse(`kind must be food, drink or water, not "${text}"`);
  return "food";
}

/** Reads portions in grams, such as `slice 28; cup 120`. */
export function readPortions(text: string, refuse: RowContext["refuse"]): Map<string, number> {
  const amounts = readAmounts(text);
  if (!amounts) refuse(`portions must look like slice 28; cup 120, not "${text}"`);
  const portions = new Map(amounts);
  if (amounts && portions.size < amounts.length) {
    refuse(`portions must have different names: "${text}"`);
  }
  return portions;
}
