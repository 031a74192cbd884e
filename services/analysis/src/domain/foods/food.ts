import type { Nutrients } from "./nutrients.ts";
import { words } from "../text/words.ts";

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

const COOKED_IN_FAT = words("vegetables legumes grains");
/** Fat on a gram of such food: green beans with butter have 2.8 g per 100 g more (FNDDS). */
export const FAT_PER_GRAM = 0.03;

/** Whether fat on a measured amount of it is little; a slice of bread or a whole potato gets a pat. */
export function takesLittleFat({ group }: Food): boolean {
  return COOKED_IN_FAT.has(group);
}

/** Butter, oil and the like: nearly all of it is fat. */
export function isFat(food: Food): boolean {
  return (food.per100Grams.fat ?? 0) > 50 && (food.per100Grams.protein ?? 0) < 3;
}
