import type { PartialAmounts } from "@nutrition/core/nutrients";
import type { Database } from "@nutrition/postgres/database";

import { knownNutrients } from "../domain/foods/food.ts";
import {
  type ImportedSource,
  type NamedPortion,
  type NewFood,
  problemOfImported,
} from "../domain/foods/imported-food.ts";
import { storeFoods } from "../store/food-store.ts";

export { finishImport } from "../store/food-store.ts";

/** A food that an operator sends. */
export interface OfferedFood extends Omit<NewFood, "source" | "per100Grams"> {
  readonly source: ImportedSource | undefined;
  readonly per100g?: PartialAmounts | undefined;
}

/** Stores the foods of a batch that are sound; if a reference is in it twice, the last food counts. */
export async function importFoods(database: Database, offered: readonly OfferedFood[]) {
  const accepted = new Map<string, NewFood>();
  const refused: { reference: string; reason: string }[] = [];
  for (const each of offered) {
    const food = newFood(each);
    const reason = food ? problemOfImported(food) : "Its source or its nutrients are missing.";
    if (food && reason === undefined) accepted.set(food.reference, food);
    else refused.push({ reference: each.reference, reason: reason ?? "" });
  }
  const { inserted, updated } = await database.transaction((tx) =>
    storeFoods(tx, [...accepted.values()]),
  );
  return { inserted, updated, unchanged: accepted.size - inserted - updated, refused };
}

/** Undefined if it has no source or no nutrients. */
function newFood(food: OfferedFood): NewFood | undefined {
  const { reference, name, brand, gtin, aliases, portions, source, per100g } = food;
  if (source === undefined || per100g === undefined) return undefined;
  const measures = portions.map(({ name, grams }): NamedPortion => ({ name, grams }));
  const per100Grams = knownNutrients(per100g);
  return { reference, name, brand, gtin, aliases, source, per100Grams, portions: measures };
}
