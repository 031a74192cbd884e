import { NUTRIENT_KEYS } from "@nutrition/core/nutrients";
import type { NutrientKey, PartialAmounts } from "@nutrition/core/nutrients";

type Amounts = { readonly [Key in NutrientKey]?: number | undefined };

/** Amounts in the units of the nutrient registry. An unknown one is absent or undefined, never 0. */
export interface Nutrients extends Amounts {
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
  const amounts: { [Key in NutrientKey]?: number | undefined } = {};
  for (const key of NUTRIENT_KEYS) amounts[key] = amountOf(key);
  return { ...amounts, calories: amounts.calories ?? 0 };
}
