import type { NutrientKey } from "@nutrition/core/nutrients";
import { FoodSource } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";

/** Figures per 100 g. Unknown ones are absent. */
export type FoodFigures = { calories: number } & Partial<Record<NutrientKey, number>>;

/** A food as sent for storing. */
export interface FoodToImport {
  reference: string;
  name: string;
  source: FoodSource;
  brand: string;
  gtin: string;
  aliases: string[];
  per100g: FoodFigures;
  portions: { name: string; grams: number }[];
}

/** A food of a file, or the reason why its row is unusable. */
export type ImportRow =
  | { food: FoodToImport }
  /** `reference` names the food, or the file and line. */
  | { reference: string; problem: string };

/** A file of foods. */
export interface FoodFile {
  /** Description of the file, for people. */
  readonly title: string;
  /**
   * Bytes to read before the first food is emitted, or in the whole file.
   */
  readonly totalBytes: number;
  /** The number of rows, once it is known in advance. */
  readonly rowCount: number | undefined;
  /** Obligations of the foods' licence; absent for the public domain. */
  readonly licence?: string;
  /**
   * Numbers of rows that are not foods, such as samples, and of labels that a newer one replaces.
   */
  leftOut: { other: number; superseded: number };
  /** The rows, in batches; calls `onProgress` with the bytes read so far. */
  rows(onProgress: (bytes: number) => void): AsyncGenerator<readonly ImportRow[]>;
}

const ALIASES_MAX = 20;
const PORTIONS_MAX = 30;
const PORTION_GRAMS_MAX = 20_000;
const PORTION_NAME_MAX = 120;

/** Splits a list of names and removes duplicates. */
export function aliasesOf(text: string): string[] {
  const names = text.split(/[;,]/u).map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== "").slice(0, ALIASES_MAX);
}

/** Leading amount of a portion's text: "2 slices", "1/2 cup", "0.5 cup". */
const LEADING_AMOUNT = /^(\d+(?:\.\d+)?)(?:\/(\d+))?\s+(?=\S)/u;

/**
 * Converts a portion to a single unit: "2 slices" of 56 g becomes a slice of 28 g. Undefined when
 * it has no name or an impossible weight.
 */
export function portionOf(
  text: string,
  grams: number,
): { name: string; grams: number } | undefined {
  const trimmed = text.trim();
  const amount = LEADING_AMOUNT.exec(trimmed);
  const count = amount ? Number(amount[1]) / Number(amount[2] ?? 1) : 1;
  const name = trimmed.slice(amount?.[0].length ?? 0).slice(0, PORTION_NAME_MAX);
  const single = Math.round((grams / count) * 1_000) / 1_000;
  if (name === "" || !(single > 0 && single <= PORTION_GRAMS_MAX)) return undefined;
  return { name, grams: single };
}

/** The portions of a food, each name once. */
export function distinctPortions(
  portions: readonly ({ name: string; grams: number } | undefined)[],
): { name: string; grams: number }[] {
  const byName = new Map<string, { name: string; grams: number }>();
  for (const portion of portions) {
    if (portion && !byName.has(portion.name)) byName.set(portion.name, portion);
  }
  return [...byName.values()].slice(0, PORTIONS_MAX);
}
