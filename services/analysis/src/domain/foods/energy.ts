import type { Nutrients } from "./nutrients.ts";

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

export interface EnergyOptions {
  /** Alcohol in the same amount of food, in grams. */
  alcohol: number;
  /** True for foods to which sources assign far less energy: mostly undigested, minerals, polyols. */
  mayBeLess?: boolean;
}

/** Whether the energy agrees with protein, carbohydrate, fat and alcohol; fiber counts 0 to 4 kcal/g. */
export function energyAgrees(
  nutrients: Nutrients,
  { alcohol, mayBeLess = false }: EnergyOptions,
): boolean {
  const { calories, carbs = 0, fiber = 0 } = nutrients;
  const most = maxEnergyOf(nutrients, alcohol);
  const least = mayBeLess ? 0 : most - 4 * Math.min(fiber, carbs);
  const slack = Math.max(TOLERANCE_KCAL, TOLERANCE_SHARE * calories);
  return calories >= least - slack && calories <= most + slack;
}
