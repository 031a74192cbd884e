import type { Nutrients } from "./nutrients.ts";

/** `water` is plain water, the only food whose volume counts as water. */
export type FoodKind = "food" | "drink" | "water";

/** A row of the food table. */
export interface Food {
  /** What people call it; unique. */
  readonly name: string;
  /** Other names for it. */
  readonly aliases: readonly string[];
  /** File that lists it, such as `bakery`. */
  readonly group: string;
  readonly kind: FoodKind;
  readonly per100Grams: Nutrients;
  /** Grams per 100 g: energy that protein, carbohydrate and fat do not explain. */
  readonly alcoholPer100Grams: number;
  /** Grams per milliliter; known for what is drunk. */
  readonly gramsPerMilliliter: number | undefined;
  /** Grams of each household portion by name; `serving` is always there. */
  readonly portions: ReadonlyMap<string, number>;
  /** Who makes it; absent for a food that is nobody's in particular. */
  readonly brand?: string;
  /** 0 to 1: most that an estimate with it may be sure of; absent where its source is named. */
  readonly certaintyMax?: number;
  /** Source of the figures, such as `sr28:01123`, a recipe: `sr28:01123*50+sr28:18069*28`, or `dish:doro-wat`. */
  readonly reference: string;
}

/** Portion eaten when the text names no amount. */
export const SERVING = "serving";
/** One whole thing: an apple, a burger. */
export const EACH = "each";
/** What goes onto or into other food: butter on toast. */
export const TOPPING = "topping";
/** What goes into a drink: milk in coffee. */
export const SPLASH = "splash";

/** Grams of the portion that is eaten when the text names no amount. */
export function servingGrams(food: Food): number {
  return food.portions.get(SERVING) ?? 100;
}
