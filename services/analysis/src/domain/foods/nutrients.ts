/** Amounts of a portion of food. What is unknown is absent, never 0. */
export interface Nutrients {
  /** Energy in kcal. */
  readonly calories: number;
  /** Grams. */
  readonly protein?: number | undefined;
  /** Grams. */
  readonly carbs?: number | undefined;
  /** Grams. */
  readonly fat?: number | undefined;
  /** Grams. */
  readonly sugar?: number | undefined;
  /** Grams. */
  readonly fiber?: number | undefined;
  /** Milligrams. */
  readonly sodium?: number | undefined;
}

export const NO_NUTRIENTS: Nutrients = {
  calories: 0,
  protein: 0,
  carbs: 0,
  fat: 0,
  sugar: 0,
  fiber: 0,
  sodium: 0,
};

/** Every amount times `factor`. */
export function scaleNutrients(nutrients: Nutrients, factor: number): Nutrients {
  return combineNutrients(nutrients, nutrients, (amount) => amount * factor);
}

/** The sum of both; an amount that either does not know is unknown. */
export function addNutrients(left: Nutrients, right: Nutrients): Nutrients {
  return combineNutrients(left, right, (a, b) => a + b);
}

/** Each amount of one with that of the other; an amount that either does not know is unknown. */
export function combineNutrients(
  left: Nutrients,
  right: Nutrients,
  operation: (left: number, right: number) => number,
): Nutrients {
  const amount = (a: number | undefined, b: number | undefined) =>
    a === undefined || b === undefined ? undefined : operation(a, b);
  return {
    calories: operation(left.calories, right.calories),
    protein: amount(left.protein, right.protein),
    carbs: amount(left.carbs, right.carbs),
    fat: amount(left.fat, right.fat),
    sugar: amount(left.sugar, right.sugar),
    fiber: amount(left.fiber, right.fiber),
    sodium: amount(left.sodium, right.sodium),
  };
}
