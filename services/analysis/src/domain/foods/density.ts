import type { Food } from "./food.ts";

const KITCHEN_MEASURES = ["cup", "tbsp", "tsp"] as const;
const KITCHEN_MEASURE_ML: Readonly<Record<string, number>> = {
  cup: 236.588,
  tbsp: 14.787,
  tsp: 4.929,
};

/** Grams per milliliter, from the density or from a cup or a spoon of the food. */
export function densityOf(food: Food): number | undefined {
  if (food.gramsPerMilliliter !== undefined) return food.gramsPerMilliliter;
  for (const portion of KITCHEN_MEASURES) {
    const grams = food.portions.get(portion);
    if (grams !== undefined) return grams / (KITCHEN_MEASURE_ML[portion] ?? 1);
  }
  return undefined;
}
