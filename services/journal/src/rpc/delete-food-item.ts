import type { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import { deleteFoodItem } from "../operations/delete-food-item.ts";
import type { WriteDependencies } from "../operations/guarded-write.ts";
import { actorOfUser, userOf } from "./account.ts";
import { answerWrite } from "./write-outcome.ts";

export function deleteFoodItemHandler(
  dependencies: WriteDependencies,
): NonNullable<Handlers<typeof JournalService>["deleteFoodItem"]> {
  return async ({ item, idempotencyKey, requestId }, context) => {
    const actor = actorOfUser(userOf(context), requestId);
    const { itemId, date, query } = item ?? {};
    const input = { selector: { itemId, date, query }, idempotencyKey };
    return answerWrite(context, () => deleteFoodItem(dependencies, { actor, input }, context));
  };
}
