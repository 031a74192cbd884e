import type { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import { mergeFoodItems } from "../operations/merge-food-items.ts";
import type { WriteDependencies } from "../operations/guarded-write.ts";
import { actorOfUser, userOf } from "./account.ts";
import { answerWrite } from "./write-outcome.ts";

export function mergeFoodItemsHandler(
  dependencies: WriteDependencies,
): NonNullable<Handlers<typeof JournalService>["mergeFoodItems"]> {
  return async (request, context) => {
    const actor = actorOfUser(userOf(context), request.requestId);
    const { itemIds, date, itemQueries, mergedText, idempotencyKey } = request;
    const input = { itemIds, date, itemQueries, mergedText, idempotencyKey };
    return answerWrite(context, () => mergeFoodItems(dependencies, { actor, input }, context));
  };
}
