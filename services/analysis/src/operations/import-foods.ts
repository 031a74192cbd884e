import type { Database } from "@nutrition/postgres/database";

import { problemOfImported } from "../domain/foods/imported-food.ts";
import type { NewFood } from "../domain/foods/imported-food.ts";
import type { StoredCounts } from "../store/food-store.ts";
import { storeFoods } from "../store/food-store.ts";

export interface ImportResult extends StoredCounts {
  unchanged: number;
  refused: { reference: string; reason: string }[];
}

/**
 * Stores a batch in one transaction. An unchanged food is left alone, and a changed one replaces the
 * row of its reference. If a reference is in the batch twice, the last food counts.
 */
export async function importFoods(
  database: Database,
  foods: readonly NewFood[],
): Promise<ImportResult> {
  const refused: ImportResult["refused"] = [];
  const accepted = new Map<string, NewFood>();
  for (const food of foods) {
    const reason = problemOfImported(food);
    if (reason === undefined) accepted.set(food.reference, food);
    else refused.push({ reference: food.reference, reason });
  }
  const { inserted, updated } = await database.transaction((tx) =>
    storeFoods(tx, [...accepted.values()]),
  );
  return { inserted, updated, unchanged: accepted.size - inserted - updated, refused };
}
