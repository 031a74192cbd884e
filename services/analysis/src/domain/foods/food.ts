import type { Nutrients } from "./nutrients.ts";
import { findMeasure } from "../text/quantities.ts";

/** `water` is plain water, the only food that counts toward the day's water. */
export type FoodKind = "food" | "drink" | "water";

/** A food of any table. */
export interface Food {
  /** Its usual name; unique in the curated table. */
  readonly name: string;
  /** Other names for it. */
  readonly aliases: readonly string[];
  /** File that lists it, such as `bakery`. */
  readonly group: string;
  readonly kind: FoodKind;
  readonly per100Grams: Nutrients;
  /** Alcohol in grams per 100 g. */
  readonly alcoholPer100Grams: number;
  /** Density in grams per milliliter; known for drinks. */
  readonly gramsPerMilliliter: number | undefined;
  /** Grams of each household portion by name, always with a `serving`. */
  readonly portions: ReadonlyMap<string, number>;
  /** Absent for generic foods. */
  readonly brand?: string;
  /** Maximum confidence of an estimate with it, 0 to 1; absent if its source is known. */
  readonly certaintyMax?: number;
  /** Source of the figures, such as `sr28:01123`, a recipe: `sr28:01123*50+sr28:18069*28`, or `dish:doro-wat`. */
  readonly reference: string;
}

/** The portion that is assumed if the text states no amount. */
export const SERVING = "serving";
/** One whole thing: an apple, a burger. */
export const EACH = "each";
/** The portion on or in another food, such as butter on toast. */
export const TOPPING = "topping";
/** The portion in a drink, such as milk in coffee. */
export const SPLASH = "splash";

/** Whether it is eaten, not drunk. */
export function isSolid(food: Food): boolean {
  return food.kind === "food";
}

/** Grams that are assumed if the text states no amount. */
export function servingGrams(food: Food): number {
  return food.portions.get(SERVING) ?? 100;
}

/** Grams per milliliter, from the density or else from the weight of a cup or spoon. */
export function densityOf(food: Food): number | undefined {
  if (food.gramsPerMilliliter !== undefined) return food.gramsPerMilliliter;
  for (const name of ["cup", "tbsp", "tsp"]) {
    const grams = food.portions.get(name);
    const measure = findMeasure(name);
    if (grams !== undefined && measure?.kind === "volume") return grams / measure.milliliters;
  }
  return undefined;
}

/** Whether it is nearly pure fat, such as butter or oil. */
export function isFat(food: Food): boolean {
  return (food.per100Grams.fat ?? 0) > 50 && (food.per100Grams.protein ?? 0) < 3;
}
