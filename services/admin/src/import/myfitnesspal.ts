import { isCivilDate } from "@nutrition/core/civil-date";

import type { Cells, DiaryFormat, DiaryItem } from "./diary-row.ts";
import { oneLine, readFigures } from "./diary-row.ts";

const TOTAL = /^(daily )?totals?$/i;

/**
 * "Nutrition-Summary" of MyFitnessPal's file export: one row per meal and day. It names no foods,
 * so the line is the meal's name.
 */
export const myFitnessPal: DiaryFormat = {
  columns: {
    date: ["date"],
    meal: ["meal"],
    calories: ["calories"],
    protein: ["protein (g)"],
    carbs: ["carbohydrates (g)", "carbs (g)"],
    fat: ["fat (g)"],
    sugar: ["sugar", "sugar (g)", "sugars (g)"],
    fiber: ["fiber", "fiber (g)", "dietary fiber (g)"],
    sodium: ["sodium (mg)"],
    note: ["note", "notes"],
  },
  required: ["date", "meal", "calories"],
  advice: "Use the file Nutrition-Summary from MyFitnessPal's file export.",
  read,
};

function read(cells: Cells): DiaryItem | string {
  const meal = oneLine(cells("meal"));
  const date = cells("date");
  if (TOTAL.test(meal) || TOTAL.test(date)) return "The row is a total of other rows.";
  if (!isCivilDate(date)) return `${JSON.stringify(date)} is not a day such as 2026-01-31.`;
  if (meal === "") return "The row names no meal.";
  const figures = readFigures(cells);
  if (typeof figures === "string") return figures;
  if (figures.calories === undefined) return "The row has no calories.";
  return {
    date,
    description: `${meal} (MyFitnessPal)`,
    detailedDescription: cells("note"),
    figures,
    waterMilliliters: 0,
  };
}
