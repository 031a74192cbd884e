import { NUTRIENT_KEYS } from "@nutrition/core/nutrients";
import type { NutrientAmounts } from "@nutrition/core/nutrients";

import type { ImportedSource } from "../domain/foods/imported-food.ts";

/** A household portion of an imported food. */
export interface StoredPortion {
  name: string;
  grams: number;
}

/** An imported food with its nutrients per 100 g. */
export interface StoredFood extends NutrientAmounts {
  reference: string;
  name: string;
  source: ImportedSource;
  /** Null for generic foods. */
  brand: string | null;
  /** Barcode of 14 digits; null for none. */
  gtin: string | null;
  portions: readonly StoredPortion[];
}

/** Columns that the tables of generic and of branded foods share. */
export const FIGURES = `reference, name, ${NUTRIENT_KEYS.join(", ")}, portions`;
