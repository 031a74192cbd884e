import type { Amount } from "../segmentation/amount.ts";
import type { Food } from "../foods/food.ts";
import type { Nutrients } from "../foods/nutrients.ts";
import { weighPortion } from "../portions/portion-weight.ts";

/** An item that the user has corrected before. */
export interface RememberedItem {
  /** Text of its line. */
  readonly text: string;
  readonly nutrients: Nutrients;
  /** Volume of plain water in it. */
  readonly waterMilliliters: number;
}

/** Maximum factor by which a correction is scaled. */
const RATIO_MAX = 20;

/**
 * The ratio of the new amount to the remembered one; undefined if they cannot be compared. Amounts
 * of different kinds are only compared by the weights of `food`.
 */
export function amountRatio(
  now: Amount,
  remembered: Amount,
  food: Food | undefined,
): number | undefined {
  const ratio = ratioOfLike(now, remembered) ?? (food && ratioOfWeights(now, remembered, food));
  if (ratio === undefined || !(ratio <= RATIO_MAX && ratio >= 1 / RATIO_MAX)) return undefined;
  return ratio;
}

function ratioOfLike(now: Amount, remembered: Amount): number | undefined {
  const [left, right] = [now.measure, remembered.measure];
  if (left?.kind === "mass" && right?.kind === "mass") {
    return (now.count * left.grams) / (remembered.count * right.grams);
  }
  if (left?.kind === "volume" && right?.kind === "volume") {
    return (now.count * left.milliliters) / (remembered.count * right.milliliters);
  }
  const alike = !left && !right && now.unit === remembered.unit && now.size === remembered.size;
  return alike ? now.count / remembered.count : undefined;
}

function ratioOfWeights(now: Amount, remembered: Amount, food: Food): number {
  const context = { role: "main", main: undefined } as const;
  return weighPortion(food, now, context).grams / weighPortion(food, remembered, context).grams;
}
