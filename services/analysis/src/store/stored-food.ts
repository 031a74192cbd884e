import { NUTRIENT_KEYS } from "@nutrition/core/nutrients";
import type { NutrientAmounts } from "@nutrition/core/nutrients";

import type { ImportedSource, NamedPortion } from "../domain/foods/imported-food.ts";

/** An imported food with its nutrients per 100 g. */
export interface StoredFood extends NutrientAmounts {
  reference: string;
  name: string;
  source: ImportedSource;
  /** Null for generic foods. */
  brand: string | null;
  /** Barcode of 14 digits; null for none. */
  gtin: string | null;
  portions: readonly NamedPortion[];
}

/** Columns that the tables of generic and of branded foods share. */
export const FIGURES = `reference, name, ${NUTRIENT_KEYS.join(", ")}, portions`;
