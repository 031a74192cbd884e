import type { MessageInitShape } from "@bufbuild/protobuf";
import { amountFields } from "@nutrition/core/nutrients";
import type { FoodSchema } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { FoodSource } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";

import type { Food } from "../domain/foods/food.ts";
import type { ImportedSource } from "../domain/foods/imported-food.ts";
import type { SearchResult } from "../retrieval/food-search.ts";
import type { StoredFood } from "../store/imported-foods.ts";

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

/** The source that a message names; undefined for the curated table and for none. */
export function importedSourceOf(source: FoodSource): ImportedSource | undefined {
  const found = Object.entries(SOURCES).find(([, value]) => value === source);
  return found?.[0] as ImportedSource | undefined;
}

/** The message for a food of a line. */
export function domainFoodMessage(food: Food): MessageInitShape<typeof FoodSchema> {
  return {
    reference: food.reference,
    name: food.name,
    brand: food.brand ?? "",
    aliases: [...food.aliases],
    per100g: amountFields(food.per100Grams),
    portions: [...food.portions].map(([name, grams]) => ({ name, grams })),
    source: SOURCES[food.group as ImportedSource] ?? FoodSource.CURATED,
  };
}

/** The message for a search result. */
export function foodMatchMessage(result: SearchResult): FoodMatchMessage {
  const food =
    "curated" in result ? domainFoodMessage(result.curated) : importedFoodMessage(result.imported);
  return { food, score: result.score };
}

function importedFoodMessage(food: StoredFood): MessageInitShape<typeof FoodSchema> {
  return {
    reference: food.reference,
    name: food.name,
    brand: food.brand ?? "",
    gtin: food.gtin ?? "",
    per100g: amountFields(food),
    portions: food.portions.map(({ name, grams }) => ({ name, grams })),
    source: SOURCES[food.source],
  };
}
