import type { PartialAmounts } from "@nutrition/core/nutrients";

import { knownNutrients } from "../domain/foods/food.ts";
import {
  type ImportedSource,
  type NamedPortion,
  type NewFood,
  problemOfImported,
} from "../domain/foods/imported-food.ts";

/** A food that an operator sends. */
export interface OfferedFood extends Omit<NewFood, "source" | "per100Grams"> {
  readonly source: ImportedSource | undefined;
  readonly per100g?: PartialAmounts | undefined;
}

export interface RefusedFood {
  readonly reference: string;
  readonly reason: string;
}

/** The foods of a batch that can be imported; if a reference is in it twice, the last food counts. */
export function soundFoods(offered: readonly OfferedFood[]): {
  accepted: NewFood[];
  refused: RefusedFood[];
} {
  const accepted = new Map<string, NewFood>();
  const refused: RefusedFood[] = [];
  for (const each of offered) {
    const food = newFood(each);
    const reason = food ? problemOfImported(food) : "Its source or its nutrients are missing.";
    if (food && reason === undefined) accepted.set(food.reference, food);
    else refused.push({ reference: each.reference, reason: reason ?? "" });
  }
  return { accepted: [...accepted.values()], refused };
}

/** Undefined if it has no source or no nutrients. */
function newFood(food: OfferedFood): NewFood | undefined {
  const { reference, name, brand, gtin, aliases, portions, source, per100g } = food;
  if (source === undefined || per100g === undefined) return undefined;
  const measures = portions.map(({ name, grams }): NamedPortion => ({ name, grams }));
  const per100Grams = knownNutrients(per100g);
  return { reference, name, brand, gtin, aliases, source, per100Grams, portions: measures };
}
