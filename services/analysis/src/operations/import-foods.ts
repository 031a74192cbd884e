import { createHash } from "node:crypto";
import type { Database, Transaction } from "@nutrition/postgres/database";

import { brandWords } from "../domain/matching/brand-words.ts";
import { foldWords, headWords } from "../domain/text/food-words.ts";
import type { ImportedFood } from "../domain/foods/imported-food.ts";
import { problemOfImported } from "../domain/foods/imported-food.ts";
import type { NewBrandedFood, NewFood, StoredCounts } from "../store/food-store.ts";
import {
  deleteMoved,
  putBrandedFoods,
  putBrands,
  putFoods,
  putFoodWords,
} from "../store/food-store.ts";

/** What became of a batch. */
export interface ImportResult extends StoredCounts {
  unchanged: number;
  refused: { reference: string; reason: string }[];
}

/** Changes when what is stored of an equal food does. */
const FORM = "1";

/**
 * Stores a batch in one transaction. A food that is stored already stays as it is, one with the same
 * reference is replaced, and of equal references in the batch the last one counts.
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
  const counts = await database.transaction((tx) => store(tx, generic, branded));
  return { ...counts, unchanged: all.length - counts.inserted - counts.updated, refused };
}

async function store(
  tx: Transaction,
  generic: readonly NewFood[],
  branded: readonly NewBrandedFood[],
): Promise<StoredCounts> {
  const references = (foods: readonly { reference: string }[]) =>
    foods.map(({ reference }) => reference);
  await deleteMoved(tx, { generic: references(generic), branded: references(branded) });
  await putFoodWords(
    tx,
    distinct(generic.flatMap(({ words, aliasWords }) => `${words} ${aliasWords}`.split(" "))),
  );
  await putBrands(tx, distinct(branded.map(({ brandWords }) => brandWords)));
  const foods = await putFoods(tx, generic);
  const ofBrands = await putBrandedFoods(tx, branded);
  return {
    inserted: foods.inserted + ofBrands.inserted,
    updated: foods.updated + ofBrands.updated,
  };
}

function newFood(food: ImportedFood): NewFood {
  return {
    ...columnsOf(food),
    brand: null,
    head: headWords(food.name),
    aliasWords: foldWords(food.aliases.join(" ")),
  };
}

function newBrandedFood(food: ImportedFood): NewBrandedFood {
  return { ...columnsOf(food), brand: food.brand, brandWords: brandWords(food.brand) };
}

function columnsOf({ per100Grams, ...food }: ImportedFood) {
  const { calories, protein, carbs, fat, sugar, fiber, sodium } = per100Grams;
  const content = JSON.stringify([FORM, food, calories, protein, carbs, fat, sugar, fiber, sodium]);
  return {
    ...food,
    gtin: food.gtin === "" ? null : food.gtin.padStart(14, "0"),
    words: foldWords(food.name),
    calories,
    protein: protein ?? null,
    carbs: carbs ?? null,
    fat: fat ?? null,
    sugar: sugar ?? null,
    fiber: fiber ?? null,
    sodium: sodium ?? null,
    digest: createHash("sha256").update(content).digest("base64url").slice(0, 22),
  };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== "");
}
