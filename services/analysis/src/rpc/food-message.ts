import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  FoodSchema,
  NutrientsSchema,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { FoodSource } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";

import type { Food } from "../domain/foods/food.ts";
import type { ImportedSource } from "../domain/foods/imported-food.ts";
import type { SearchResult } from "../retrieval/food-search.ts";
import type { StoredFood } from "../store/stored-food.ts";
import type { Nutrients } from "../domain/foods/nutrients.ts";

interface FoodMatchMessage {
  food: MessageInitShape<typeof FoodSchema>;
  score: number;
}

const SOURCES: Readonly<Record<ImportedSource, FoodSource>> = {
  reference: FoodSource.REFERENCE,
  survey: FoodSource.SURVEY,
  foundation: FoodSource.FOUNDATION,
  branded: FoodSource.BRANDED,
};

/** The kind of table that a message names; undefined for the curated one and for none. */
export function importedSourceOf(source: FoodSource): ImportedSource | undefined {
  const found = Object.entries(SOURCES).find(([, value]) => value === source);
  return found?.[0] as ImportedSource | undefined;
}

/** A food that lines are estimated with as a message. */
export function domainFoodMessage(food: Food): MessageInitShape<typeof FoodSchema> {
  return {
    reference: food.reference,
    name: food.name,
    brand: food.brand ?? "",
    aliases: [...food.aliases],
    per100g: nutrientsMessage(food.per100Grams),
    portions: [...food.portions].map(([name, grams]) => ({ name, grams })),
    source: SOURCES[food.group as ImportedSource] ?? FoodSource.CURATED,
  };
}

/** A food that a search found as a message. */
export function foodMatchMessage(result: SearchResult): FoodMatchMessage {
  const food =
    "curated" in result ? domainFoodMessage(result.curated) : importedFoodMessage(result.imported);
  return { food, score: result.score };
}

/** An imported food as a message. */
function importedFoodMessage(food: StoredFood): MessageInitShape<typeof FoodSchema> {
  const { calories, protein, carbs, fat, sugar, fiber, sodium } = food;
  const figures = { calories, protein, carbs, fat, sugar, fiber, sodium };
  const known = Object.entries(figures).filter(([, amount]) => amount !== null);
  return {
    reference: food.reference,
    name: food.name,
    brand: food.brand ?? "",
    gtin: food.gtin ?? "",
    per100g: Object.fromEntries(known),
    portions: food.portions.map(({ name, grams }) => ({ name, grams })),
    source: SOURCES[food.source],
  };
}

/** The amounts as a message; what is unknown is left out. */
export function nutrientsMessage(nutrients: Nutrients): MessageInitShape<typeof NutrientsSchema> {
  const known = Object.entries(nutrients).filter(([, amount]) => amount !== undefined);
  return { calories: nutrients.calories, ...Object.fromEntries(known) };
}
