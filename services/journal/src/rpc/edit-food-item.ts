import type { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import { editFoodItem } from "../operations/edit-food-item.ts";
import type { WriteDependencies } from "../operations/guarded-write.ts";
import { actorOfUser, userOf } from "./account.ts";
import { answerWrite } from "./write-outcome.ts";

export function editFoodItemHandler(
  dependencies: WriteDependencies,
): NonNullable<Handlers<typeof JournalService>["editFoodItem"]> {
  return async (request, context) => {
    const actor = actorOfUser(userOf(context), request.requestId);
    const { itemId, date, query } = request.item ?? {};
    const { replacementText, correction, detailedDescription, idempotencyKey } = request;
    const input = {
      selector: { itemId, date, query },
      replacementText,
      correction,
      detailedDescription,
      idempotencyKey,
    };
    return answerWrite(context, () => editFoodItem(dependencies, { actor, input }, context));
  };
}
