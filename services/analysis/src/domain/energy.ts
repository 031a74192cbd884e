import type { Nutrients } from "./nutrients.ts";

/** Energy of pure fat as USDA gives it, the most that 100 g of anything hold. */
export const CALORIES_PER_100_GRAMS_MAX = 902;

/** Published figures follow specific factors (Merrill and Watt), which differ this much from 4-4-9-7. */
const TOLERANCE_SHARE = 0.25;
const TOLERANCE_KCAL = 25;

export interface EnergyOptions {
  /** Grams in the same amount of food. */
  alcohol: number;
  /** Grams of carbohydrate that are not digested, or as little as not; the fiber unless given. */
  undigested?: number;
}

/** Whether energy agrees with protein, carbohydrate and fat (4-4-9, 7 for alcohol, 0 to 4 for fiber). */
export function energyAgrees(
  nutrients: Nutrients,
  { alcohol, undigested }: EnergyOptions,
): boolean {
  const { calories, protein = 0, carbs = 0, fat = 0, fiber = 0 } = nutrients;
  const most = 4 * protein + 4 * carbs + 9 * fat + 7 * alcohol;
  const least = most - 4 * (undigested ?? Math.min(fiber, carbs));
  const slack = Math.max(TOLERANCE_KCAL, TOLERANCE_SHARE * calories);
  return calories >= least - slack && calories <= most + slack;
}
