import type { Cell } from "./csv.ts";
import { csvLine } from "./csv.ts";

/** Members of a FoodItem of the public interface that the table has, by the name of the column. */
const ITEM_COLUMNS = {
  description: "description",
  detailed_description: "details",
  calories: "calories_kcal",
  protein: "protein_g",
  carbs: "carbs_g",
  fat: "fat_g",
  sugar: "sugar_g",
  fiber: "fiber_g",
  sodium: "sodium_mg",
  is_water_entry: "is_water",
  water_milliliters: "water_ml",
  confidence_score: "confidence",
  ai_comment: "comment",
  updated_at: "updated_at",
} as const;

/** A day of the journal, as far as the table shows it. */
export interface CsvEntry {
  readonly date: string;
  readonly items: readonly Readonly<Record<keyof typeof ITEM_COLUMNS, Cell>>[];
}

/** The mark that makes spreadsheets read UTF-8, and the names of the columns. */
export const CSV_HEAD = `\ufeff${csvLine(["date", ...Object.values(ITEM_COLUMNS)])}`;

/** A line for each item of the day. */
export function entryCsv({ date, items }: CsvEntry): string {
  const members = Object.keys(ITEM_COLUMNS) as (keyof typeof ITEM_COLUMNS)[];
  return items.map((item) => csvLine([date, ...members.map((name) => item[name])])).join("");
}
