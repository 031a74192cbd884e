import type { MessageInitShape } from "@bufbuild/protobuf";
import { amountFields } from "@nutrition/core/nutrients";
import { characterCount } from "@nutrition/core/text";
import type { Database } from "@nutrition/postgres/database";
import { FoodSource } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type {
  AnalysisService,
  Food as FoodMessage,
  FoodSchema,
  ImportFoodsRequest,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type { Handler } from "@nutrition/rpc/service-definition";

import { knownNutrients } from "../domain/foods/food.ts";
import type { Food } from "../domain/foods/food.ts";
import { problemOfImported } from "../domain/foods/imported-food.ts";
import type { ImportedFood, ImportedSource, NewFood } from "../domain/foods/imported-food.ts";
import type { FoodSearch } from "../retrieval/food-search.ts";
import { finishImport, storeFoods } from "../store/food-store.ts";
import { invalid, QUERY_CHARACTERS_MAX } from "./checks.ts";

/** Maximum foods of an answer, and of a batch that is imported. */
const FOUND_MAX = 50;
const FOUND_DEFAULT = 10;
const BATCH_MAX = 1_000;

const SOURCES: Readonly<Record<ImportedSource, FoodSource>> = {
  reference: FoodSource.REFERENCE,
  survey: FoodSource.SURVEY,
  foundation: FoodSource.FOUNDATION,
  branded: FoodSource.BRANDED,
};

/** Searches all food tables by name. */
export function searchFoodsHandler(
  search: FoodSearch,
): Handler<typeof AnalysisService, "searchFoods"> {
  return async ({ query, limit }) => {
    if (query.trim() === "" || characterCount(query) > QUERY_CHARACTERS_MAX) {
      throw invalid("INVALID_QUERY", `Send a query of 1 to ${QUERY_CHARACTERS_MAX} characters.`);
    }
    if (limit < 0 || limit > FOUND_MAX) {
      const message = `Send a limit of 1 to ${FOUND_MAX}, or 0 for ${FOUND_DEFAULT}.`;
      throw invalid("INVALID_LIMIT", message);
    }
    const results = await search.search(query, limit === 0 ? FOUND_DEFAULT : limit);
    return { foods: results.map(({ food, score }) => ({ food: foodMessage(food), score })) };
  };
}

/** Stores a batch, and finishes an import after its last one. */
export function importHandlers(database: Database) {
  return {
    async importFoods({ foods }: ImportFoodsRequest) {
      if (foods.length === 0 || foods.length > BATCH_MAX) {
        throw invalid("INVALID_BATCH", `Send 1 to ${BATCH_MAX} foods.`);
      }
      const refused: { reference: string; reason: string }[] = [];
      // If a reference is in the batch twice, the last food counts.
      const accepted = new Map<string, NewFood>();
      for (const message of foods) {
        const food = importedFood(message);
        const reason = food ? problemOfImported(food) : "Its source or its nutrients are missing.";
        if (food && reason === undefined) accepted.set(food.reference, food);
        else refused.push({ reference: message.reference, reason: reason ?? "" });
      }
      const { inserted, updated } = await database.transaction((tx) =>
        storeFoods(tx, [...accepted.values()]),
      );
      return { inserted, updated, unchanged: accepted.size - inserted - updated, refused };
    },
    finishImport: () => finishImport(database),
  };
}

/** Undefined if the message has no source or no nutrients. */
function importedFood(food: FoodMessage): NewFood | undefined {
  const { reference, name, brand, gtin, aliases, portions, per100g } = food;
  const sources = Object.keys(SOURCES) as ImportedSource[];
  const source = sources.find((key) => SOURCES[key] === food.source);
  if (source === undefined || per100g === undefined) return undefined;
  const per100Grams = knownNutrients(per100g);
  const measures = portions.map(({ name, grams }) => ({ name, grams }));
  return { reference, name, brand, gtin, aliases, source, per100Grams, portions: measures };
}

/** The message for a food of any table. */
export function foodMessage(food: Food | ImportedFood): MessageInitShape<typeof FoodSchema> {
  const shared = {
    reference: food.reference,
    name: food.name,
    brand: food.brand ?? "",
    per100g: amountFields(food.per100Grams),
  };
  if ("gtin" in food) {
    const { gtin, portions, source } = food;
    return { ...shared, gtin, portions: [...portions], source: SOURCES[source] };
  }
  return {
    ...shared,
    aliases: [...food.aliases],
    portions: [...food.portions].map(([name, grams]) => ({ name, grams })),
    source: SOURCES[food.group as ImportedSource] ?? FoodSource.CURATED,
  };
}
