import type { NutrientKey } from "@nutrition/core/nutrients";
import { NUTRIENT_KEYS } from "@nutrition/core/nutrients";

/** Figures of an item. */
export type Figures = Partial<Record<NutrientKey, number>>;

/** An item of another service's export. */
export interface DiaryItem {
  /** "YYYY-MM-DD". */
  date: string;
  description: string;
  /** Details that are not part of the visible line: the meal, the time, a note. */
  detailedDescription: string;
  /** Always includes calories. */
  figures: Figures;
  /** Of plain water; 0 for food. */
  waterMilliliters: number;
}

/** Cells of a row by the format's column names; empty when missing. */
export type Cells = (column: string) => string;

/** Format of a service's export. */
export interface DiaryFormat {
  /**
   * Possible headings of each column, in lower case; the first one present counts. Empty for a
   * nutrient that the service does not export.
   */
  columns: Readonly<Record<NutrientKey, readonly string[]>> & {
    readonly [column: string]: readonly string[];
  };
  /** Required columns. */
  required: readonly string[];
  /** Advice on what to export instead, for a file without them. */
  advice: string;
  /** Converts a row to an item, or says why it is not one. */
  read(cells: Cells): DiaryItem | string;
}

const NUMBER = /^\d{1,12}(\.\d{1,20})?$/;

/** Reads the figures of a row, or says what is wrong with the first invalid one. */
export function readFigures(cells: Cells): Figures | string {
  const figures: Figures = {};
  for (const name of NUTRIENT_KEYS) {
    const text = cells(name);
    if (text === "") continue;
    if (!NUMBER.test(text)) {
      return `${JSON.stringify(text)} is not an amount of ${name}; write it as 1234.5.`;
    }
    figures[name] = Number(text);
  }
  return figures;
}

/** Collapses text to one trimmed line. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}
