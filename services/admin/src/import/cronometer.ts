import { isCivilDate } from "@nutrition/core/civil-date";

import type { Cells, DiaryFormat, DiaryItem } from "./diary-row.ts";
import { oneLine, readFigures } from "./diary-row.ts";

// Cronometer's names for water: "Water", "Tap Water", "Water, Bottled, Generic". A drink with
// energy is not plain water.
const PLAIN_WATER =
  /^(?:(?:plain|tap|drinking|bottled|mineral|spring|sparkling|carbonated|filtered) )*water(?:,.*)?$/i;

/** Cronometer's servings.csv ("Food & Recipe Entries"): one row per food. */
export const cronometer: DiaryFormat = {
  columns: {
    date: ["day", "date"],
    time: ["time"],
    group: ["group"],
    name: ["food name"],
    amount: ["amount"],
    calories: ["energy (kcal)"],
    protein: ["protein (g)"],
    carbs: ["carbs (g)", "carbohydrates (g)"],
    fat: ["fat (g)"],
    sugar: ["sugars (g)", "sugar (g)"],
    fiber: ["fiber (g)"],
    sodium: ["sodium (mg)"],
    water: ["water (g)"],
  },
  required: ["date", "name"],
  advice: "Export Food & Recipe Entries (servings.csv) from Cronometer, with energy in kcal.",
  read,
};

function read(cells: Cells): DiaryItem | string {
  const date = cells("date");
  if (!isCivilDate(date)) return `${JSON.stringify(date)} is not a day such as 2026-01-31.`;
  const name = oneLine(cells("name"));
  if (name === "") return "The row names no food.";
  const figures = readFigures(cells);
  if (typeof figures === "string") return figures;
  if (Object.keys(figures).length === 0) {
    return "The row has no nutrients. Some Cronometer exports have them only as daily totals, which cannot be divided among foods; export the entries with their nutrients.";
  }
  if (figures.calories === undefined) return "The row has no energy in kcal.";
  const amount = plainAmount(cells("amount"));
  return {
    date,
    description: amount === "" ? name : `${name} (${amount})`,
    detailedDescription: [cells("group"), cells("time")].filter((text) => text !== "").join(", "),
    figures,
    waterMilliliters: figures.calories === 0 ? plainWater(name, cells("water")) : 0,
  };
}

/** Normalizes a weight such as "80.00 g" to "80 g". */
function plainAmount(text: string): string {
  return oneLine(text).replace(/^(\d+)\.0+(?=\D|$)/, "$1");
}

/** Milliliters of plain water, counting 1 g as 1 ml; 0 for anything else. */
function plainWater(name: string, grams: string): number {
  const amount = Number(grams);
  return PLAIN_WATER.test(name) && amount > 0 ? amount : 0;
}
