import type { ImportedSource } from "../domain/foods/imported-food.ts";

/** A household portion of an imported food. */
export interface StoredPortion {
  name: string;
  grams: number;
}

/** An imported food; figures are per 100 g, null when unknown. */
export interface StoredFood {
  reference: string;
  name: string;
  source: ImportedSource;
  /** Null for generic foods. */
  brand: string | null;
  /** Barcode of 14 digits; null for none. */
  gtin: string | null;
  /** Energy in kcal. */
  calories: number;
  protein: number | null;
  carbs: number | null;
  fat: number | null;
  sugar: number | null;
  fiber: number | null;
  /** Milligrams. */
  sodium: number | null;
  portions: readonly StoredPortion[];
}

/** A food that answers to query number `at`, from 1. */
export interface FoundFood extends StoredFood {
  readonly at: number;
}

/** Columns that both tables of foods have. */
export const FIGURES =
  "reference, name, calories, protein, carbs, fat, sugar, fiber, sodium, portions";
