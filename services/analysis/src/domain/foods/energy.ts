import type { Nutrients } from "./nutrients.ts";

/** Energy of pure fat as USDA gives it, the most that 100 g of anything hold. */
export const CALORIES_PER_100_GRAMS_MAX = 902;

/** Published figures follow specific factors (Merrill and Watt), which differ this much from 4-4-9-7. */
const TOLERANCE_SHARE = 0.25;
const TOLERANCE_KCAL = 25;

/** Energy in kcal by 4-4-9, and 7 for alcohol in grams, as if all carbohydrate were digested. */
export function maxEnergyOf(
  { protein = 0, carbs = 0, fat = 0 }: Nutrients,
  alcohol: number,
): number {
  return 4 * protein + 4 * carbs + 9 * fat + 7 * alcohol;
}

export interface EnergyOptions {
  /** Grams in the same amount of food. */
  alcohol: number;
  /** For food that its source counts at far less: mostly undigested, minerals, polyols. */
  mayBeLess?: boolean;
}

/** Whether energy agrees with protein, carbohydrate, fat and alcohol, fiber counting 0 to 4. */
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
