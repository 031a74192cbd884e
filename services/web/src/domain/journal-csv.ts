import type { Cell } from "@nutrition/core/csv";
import { csvLine } from "@nutrition/core/csv";
import type { DailyAmountKey } from "@nutrition/core/nutrients";
import { DAILY_AMOUNTS, NUTRIENTS, byKey } from "@nutrition/core/nutrients";

/** Columns of the table, with the member of a FoodItem that each shows. */
const ITEM_COLUMNS = {
  description: "description",
  detailed_description: "details",
  ...byKey(NUTRIENTS, ({ key, unit }) => `${key}_${unit}`),
  is_water_entry: "is_water",
  water_milliliters: "water_ml",
  confidence_score: "confidence",
  ai_comment: "comment",
  updated_at: "updated_at",
} as const;

/** The part of a journal day that the table shows. */
export interface CsvEntry {
  readonly date: string;
  readonly items: readonly Readonly<Record<keyof typeof ITEM_COLUMNS, Cell>>[];
}

/** The byte order mark, which makes spreadsheets read UTF-8, and the header row. */
export const CSV_HEAD = `\ufeff${csvLine(["date", ...Object.values(ITEM_COLUMNS)])}`;

/** Formats a row for each item of the day. */
export function entryCsv({ date, items }: CsvEntry): string {
  const members = Object.keys(ITEM_COLUMNS) as (keyof typeof ITEM_COLUMNS)[];
  return items.map((item) => csvLine([date, ...members.map((name) => item[name])])).join("");
}

/** The byte order mark and the header row of the table of days. */
export const DAYS_CSV_HEAD = `\ufeff${csvLine(["date", ...DAILY_AMOUNTS.map(dayColumn)])}`;

function dayColumn({ key, unit }: (typeof DAILY_AMOUNTS)[number]): string {
  return key === "water_milliliters" ? "water_ml" : `${key}_${unit}`;
}

/** Formats a day with its totals. */
export function dayCsv({
  date,
  totals,
}: {
  readonly date: string;
  readonly totals: Readonly<Record<DailyAmountKey, number>>;
}): string {
  return csvLine([date, ...DAILY_AMOUNTS.map(({ key }) => totals[key])]);
}
