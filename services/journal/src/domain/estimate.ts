import type { NutrientAmounts } from "@nutrition/core/nutrients";

/** Source of the figures. */
export type Provenance = "unknown" | "food_table" | "model" | "user_memory" | "stated" | "imported";

/** The nutrition of one visible line, unrounded. */
export interface Estimate {
  nutrients: NutrientAmounts;
  isWater: boolean;
  /** Volume of plain water; 0 for anything else. */
  waterMilliliters: number;
  /** 0 to 1; null for figures that were not estimated here. */
  confidence: number | null;
  comment: string | null;
  provenance: Provenance;
}

/** An estimate with the details and the occasion of its line. */
export interface EstimatedLine {
  estimate: Estimate;
  /** The part of the details about the line; null for none. */
  details: string | null;
  /** Meal or time of day that the line or its details mention, such as breakfast; null for none. */
  occasion: string | null;
}

/** An item that the person corrected earlier. */
export interface RememberedItem {
  text: string;
  nutrients: NutrientAmounts;
  waterMilliliters: number;
}

/** The person's chosen bias of estimates. */
export type Bias = "lower" | "neutral" | "higher";

/** Smallest value that a column of `items` cannot store. */
const FIGURE_LIMIT = 10_000_000;

/** Whether every figure can be stored: finite, not negative, below ten million. */
export function isStorable(estimate: Estimate): boolean {
  const { nutrients, waterMilliliters, confidence } = estimate;
  const figures = [...Object.values(nutrients), waterMilliliters];
  return (
    figures.every((figure) => figure === null || (figure >= 0 && figure < FIGURE_LIMIT - 0.005)) &&
    (confidence === null || (confidence >= 0 && confidence <= 1))
  );
}
