import { characterCount } from "@nutrition/core/text";
import type { Database } from "@nutrition/postgres/database";
import type {
  AnalysisService,
  Food as FoodMessage,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type { Handler, Handlers } from "@nutrition/rpc/service-definition";

import type { ImportedFood } from "../domain/foods/imported-food.ts";
import { knownNutrients } from "../domain/foods/nutrients.ts";
import { importFoods } from "../operations/import-foods.ts";
import type { FoodSearch } from "../retrieval/food-search.ts";
import { countFoods, vacuumFoods } from "../store/food-store.ts";
import { invalid, QUERY_CHARACTERS_MAX } from "./checks.ts";
import { foodMatchMessage, importedSourceOf } from "./food-message.ts";

/** Maximum foods of an answer, and of a batch that is imported. */
const FOUND_MAX = 50;
const FOUND_DEFAULT = 10;
const BATCH_MAX = 1_000;

/** Searches all food tables by name. */
export function searchFoodsHandler(
  searchFoods: FoodSearch,
): Handler<typeof AnalysisService, "searchFoods"> {
  return async ({ query, limit }) => {
    if (query.trim() === "" || characterCount(query) > QUERY_CHARACTERS_MAX) {
      throw invalid("INVALID_QUERY", `Send a query of 1 to ${QUERY_CHARACTERS_MAX} characters.`);
    }
    if (limit < 0 || limit > FOUND_MAX) {
      const message = `Send a limit of 1 to ${FOUND_MAX}, or 0 for ${FOUND_DEFAULT}.`;
      throw invalid("INVALID_LIMIT", message);
    }
    const results = await searchFoods(query, limit === 0 ? FOUND_DEFAULT : limit);
    return { foods: results.map(foodMatchMessage) };
  };
}

/** Stores a batch, and finishes an import after its last one. */
export function importHandlers(
  database: Database,
): Required<Pick<Handlers<typeof AnalysisService>, "importFoods" | "finishImport">> {
  return {
    async importFoods({ foods }) {
      if (foods.length === 0 || foods.length > BATCH_MAX) {
        throw invalid("INVALID_BATCH", `Send 1 to ${BATCH_MAX} foods.`);
      }
      const reason = "Its source or its nutrients are missing.";
      const unusable = foods.filter((food) => !importedFood(food));
      const refused = unusable.map(({ reference }) => ({ reference, reason }));
      const result = await importFoods(
        database,
        foods.flatMap((food) => importedFood(food) ?? []),
      );
      return { ...result, refused: [...result.refused, ...refused] };
    },
    async finishImport() {
      await vacuumFoods(database);
      const { generic, branded } = await countFoods(database);
      return { genericFoods: BigInt(generic), brandedFoods: BigInt(branded) };
    },
  };
}

/** Undefined if the message has no source or no nutrients. */
function importedFood(food: FoodMessage): ImportedFood | undefined {
  const { reference, name, brand, gtin, aliases, portions, per100g } = food;
  const source = importedSourceOf(food.source);
  if (source === undefined || per100g === undefined) return undefined;
  const per100Grams = knownNutrients(per100g);
  const measures = portions.map(({ name, grams }) => ({ name, grams }));
  return { reference, name, brand, gtin, aliases, source, per100Grams, portions: measures };
}
