import type { AnalysisService } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { characterCount } from "@nutrition/core/text";
import type { Handlers } from "@nutrition/rpc/service-definition";

import type { FoodSearch } from "../retrieval/food-search.ts";
import { invalid } from "./checks.ts";
import { foodMatchMessage } from "./food-message.ts";

const QUERY_CHARACTERS_MAX = 200;
const FOODS_MAX = 50;
const FOODS_DEFAULT = 10;

/** Searches all food tables by name. */
export function searchFoodsHandler(
  foods: FoodSearch,
): NonNullable<Handlers<typeof AnalysisService>["searchFoods"]> {
  return async ({ query, limit }) => {
    if (query.trim() === "" || characterCount(query) > QUERY_CHARACTERS_MAX) {
      throw invalid("INVALID_QUERY", `Send a query of 1 to ${QUERY_CHARACTERS_MAX} characters.`);
    }
    if (limit < 0 || limit > FOODS_MAX) {
      const message = `Send a limit of 1 to ${FOODS_MAX}, or 0 for ${FOODS_DEFAULT}.`;
      throw invalid("INVALID_LIMIT", message);
    }
    const results = await foods.search(query, limit === 0 ? FOODS_DEFAULT : limit);
    return { foods: results.map(foodMatchMessage) };
  };
}
