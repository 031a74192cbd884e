import type { AnalysisService } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { Failure } from "@nutrition/core/failure";
import { characterCount } from "@nutrition/core/text";
import type { Handlers } from "@nutrition/rpc/service-definition";

import type { FoodIndex } from "../domain/food-index.ts";
import type { Spellings } from "../domain/spelling.ts";
import { tokenize, wordsOf } from "../domain/tokens.ts";
import { nutrientsMessage } from "./nutrients-message.ts";

const QUERY_CHARACTERS_MAX = 200;
const FOODS_MAX = 50;
const FOODS_DEFAULT = 10;

/** Finds foods of the table by name. */
export function searchFoodsHandler(
  index: FoodIndex,
  spellings: Spellings,
): NonNullable<Handlers<typeof AnalysisService>["searchFoods"]> {
  return async ({ query, limit }) => {
    if (query.trim() === "" || characterCount(query) > QUERY_CHARACTERS_MAX) {
      throw refused("INVALID_QUERY", `Send a query of 1 to ${QUERY_CHARACTERS_MAX} characters.`);
    }
    if (limit < 0 || limit > FOODS_MAX) {
      throw refused(
        "INVALID_LIMIT",
        `Send a limit of 1 to ${FOODS_MAX}, or 0 for ${FOODS_DEFAULT}.`,
      );
    }
    const words = wordsOf(tokenize(query, spellings));
    const matches = index.search(words, limit === 0 ? FOODS_DEFAULT : limit);
    return {
      foods: matches.map(({ food, score }) => ({
        food: {
          reference: food.reference,
          name: food.name,
          per100g: nutrientsMessage(food.per100Grams),
          portions: [...food.portions].map(([name, grams]) => ({ name, grams })),
        },
        score,
      })),
    };
  };
}

function refused(reason: string, message: string): Failure {
  return new Failure("invalid_argument", reason, message);
}
