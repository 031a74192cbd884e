import { createHash } from "node:crypto";
import { byKey, NUTRIENT_KEYS, NUTRIENTS } from "@nutrition/core/nutrients";
import type { NutrientAmounts } from "@nutrition/core/nutrients";
import type { Database } from "@nutrition/postgres/database";

import { brandWords, foldWords, headWords } from "../domain/text/food-words.ts";
import { problemOfImported } from "../domain/foods/imported-food.ts";
import type { ImportedFood } from "../domain/foods/imported-food.ts";
import type { NewBrandedFood, NewFood, StoredCounts } from "../store/food-store.ts";
import { storeFoods } from "../store/food-store.ts";

export interface ImportResult extends StoredCounts {
  unchanged: number;
  refused: { reference: string; reason: string }[];
}

/** Version of the stored form. Increase it when an equal food would be stored differently. */
const FORM = "1";

/**
 * Stores a batch in one transaction. An unchanged food is left alone, and a changed one replaces the
 * row of its reference. If a reference is in the batch twice, the last food counts.
 */
export async function importFoods(
  database: Database,
  foods: readonly ImportedFood[],
): Promise<ImportResult> {
  const refused: ImportResult["refused"] = [];
  const accepted = new Map<string, ImportedFood>();
  for (const food of foods) {
    const reason = problemOfImported(food);
    if (reason === undefined) accepted.set(food.reference, food);
    else refused.push({ reference: food.reference, reason });
  }
  const all = [...accepted.values()];
  const generic = all.filter(({ source }) => source !== "branded").map(newFood);
  const branded = all.filter(({ source }) => source === "branded").map(newBrandedFood);
  const counts = await database.transaction((tx) => storeFoods(tx, { generic, branded }));
  return { ...counts, unchanged: all.length - counts.inserted - counts.updated, refused };
}

function newFood(food: ImportedFood): NewFood {
  return {
    ...columnsOf(food),
    brand: null,
    head: headWords(food.name),
    alias_words: foldWords(food.aliases.join(" ")),
  };
}

function newBrandedFood(food: ImportedFood): NewBrandedFood {
  return { ...columnsOf(food), brand: food.brand, brand_words: brandWords(food.brand) };
}

function columnsOf({ per100Grams, ...food }: ImportedFood) {
  const figures = NUTRIENT_KEYS.map((key) => per100Grams[key]);
  const content = JSON.stringify([FORM, food, ...figures]);
  return {
    ...food,
    ...(byKey(NUTRIENTS, ({ key }) => per100Grams[key] ?? null) as NutrientAmounts),
    gtin: food.gtin === "" ? null : food.gtin.padStart(14, "0"),
    words: foldWords(food.name),
    digest: createHash("sha256").update(content).digest("base64url").slice(0, 22),
  };
}
