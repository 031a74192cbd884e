import { byKey, NUTRIENT_KEYS, NUTRIENTS } from "@nutrition/core/nutrients";
import type { NutrientKey, PartialAmounts } from "@nutrition/core/nutrients";

import { findMeasure } from "../text/quantities.ts";

/** A food of any table. */
export interface Food {
  /** Its usual name; unique in the curated table. */
  readonly name: string;
  /** Other names for it. */
  readonly aliases: readonly string[];
  /** File that lists it, such as `bakery`. */
  readonly group: string;
  /** `water` is plain water, the only food that counts toward the day's water. */
  readonly kind: "food" | "drink" | "water";
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

/** Amounts in the units of the nutrient registry. An unknown one is absent or undefined, never 0. */
export interface Nutrients extends Readonly<Partial<Record<NutrientKey, number | undefined>>> {
  readonly calories: number;
}

/** The amounts with undefined for unknown ones; unknown energy counts as 0 kcal. */
export function knownNutrients(amounts: PartialAmounts): Nutrients {
  return fromKeys((key) => amounts[key] ?? undefined);
}

export const NO_NUTRIENTS = fromKeys(() => 0);

/** Every amount times `factor`. */
export function scaleNutrients(nutrients: Nutrients, factor: number): Nutrients {
  return combineNutrients(nutrients, nutrients, (amount) => amount * factor);
}

/** The sum of both; an amount that is unknown in one of them is unknown. */
export function addNutrients(left: Nutrients, right: Nutrients): Nutrients {
  return combineNutrients(left, right, (a, b) => a + b);
}

/** Applies `operation` to each pair of amounts; an amount that is unknown in one of them is unknown. */
export function combineNutrients(
  left: Nutrients,
  right: Nutrients,
  operation: (left: number, right: number) => number,
): Nutrients {
  return fromKeys((key) => {
    const [a, b] = [left[key], right[key]];
    return a === undefined || b === undefined ? undefined : operation(a, b);
  });
}

function fromKeys(amountOf: (key: NutrientKey) => number | undefined): Nutrients {
  const amounts = byKey(NUTRIENTS, ({ key }) => amountOf(key));
  return { ...amounts, calories: amounts.calories ?? 0 };
}

/** Energy of 100 g of pure fat according to USDA, the maximum for any food. */
export const CALORIES_PER_100_GRAMS_MAX = 902;

/** Published figures use specific factors (Merrill and Watt), which differ this much from 4-4-9-7. */
const TOLERANCE_SHARE = 0.25;
const TOLERANCE_KCAL = 25;

/** Energy in kcal by the factors 4-4-9, and 7 for `alcohol` in grams, if all carbohydrate is digested. */
export function maxEnergyOf(
  { protein = 0, carbs = 0, fat = 0 }: Nutrients,
  alcohol: number,
): number {
  return 4 * protein + 4 * carbs + 9 * fat + 7 * alcohol;
}

/** Whether the energy agrees with protein, carbohydrate, fat and alcohol; fiber counts 0 to 4 kcal/g. */
export function energyAgrees(nutrients: Nutrients, alcohol: number): boolean {
  const { calories, carbs = 0, fiber = 0 } = nutrients;
  const most = maxEnergyOf(nutrients, alcohol);
  const least = most - 4 * Math.min(fiber, carbs);
  const slack = Math.max(TOLERANCE_KCAL, TOLERANCE_SHARE * calories);
  return calories >= least - slack && calories <= most + slack;
}

/** Grams that the parts of 100 g may weigh, allowing for rounding on labels. */
const PARTS_MAX = 110;
/** Sodium in 100 g of table salt, in milligrams. */
const SODIUM_MAX = 40_000;

/** Why no food can have these nutrients per 100 g; undefined if one can. Its macronutrients may weigh `partsMax` grams. */
export function problemOfFigures(figures: Nutrients, partsMax = PARTS_MAX): string | undefined {
  const { calories, protein = 0, carbs = 0, fat = 0, sodium = 0 } = figures;
  const amounts = NUTRIENT_KEYS.map((key) => figures[key] ?? 0);
  if (!amounts.every((amount) => Number.isFinite(amount) && amount >= 0)) {
    return "An amount is negative or not a number.";
  }
  if (calories > CALORIES_PER_100_GRAMS_MAX) {
    return `${calories} kcal per 100 g are more than pure fat has.`;
  }
  if (protein + carbs + fat > partsMax) return "The parts of 100 g weigh more than 100 g.";
  if (sodium > SODIUM_MAX) return `${sodium} mg of sodium per 100 g are more than salt has.`;
  return undefined;
}
