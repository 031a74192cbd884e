import type { WRITE_TOOLS, WriteTool } from "@nutrition/core/write-tools";
import { Failure } from "@nutrition/core/failure";
import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type {
  JournalService,
  LogFoodRequest,
} from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { CallContext } from "@nutrition/rpc/context";
import type { Handlers } from "@nutrition/rpc/service-definition";

import type { Actor } from "../domain/actor.ts";
import { deleteFoodItem } from "../operations/delete-food-item.ts";
import { editFoodItem } from "../operations/edit-food-item.ts";
import type { WriteDependencies } from "../operations/guarded-write.ts";
import { logFood } from "../operations/log-food.ts";
import { mergeFoodItems } from "../operations/merge-food-items.ts";
import { accountOf, actorOfUser, userOf } from "./account.ts";
import { answerWrite } from "./write-outcome.ts";

/** Every tool of the registry needs a handler here to compile. */
type ToolHandlers = Required<
  Pick<Handlers<typeof JournalService>, (typeof WRITE_TOOLS)[WriteTool]["method"]>
>;

/** The methods of the tools that write. */
export function writeToolHandlers(dependencies: WriteDependencies): ToolHandlers {
  return {
    logFood: async (request, context) => {
      const actor = loggingActor(request, context);
      const { foodText, detailedDescription, date, idempotencyKey } = request;
      const input = { foodText, detailedDescription, date, idempotencyKey };
      return answerWrite(context, () => logFood(dependencies, { actor, input }, context));
    },
    editFoodItem: async (request, context) => {
      const actor = actorOfUser(userOf(context), request.requestId);
      const { itemId, date, query } = request.item ?? {};
      const { replacementText, correction, detailedDescription, idempotencyKey } = request;
      const texts = { replacementText, correction, detailedDescription };
      const input = { selector: { itemId, date, query }, ...texts, idempotencyKey };
      return answerWrite(context, () => editFoodItem(dependencies, { actor, input }, context));
    },
    mergeFoodItems: async (request, context) => {
      const actor = actorOfUser(userOf(context), request.requestId);
      const { itemIds, date, itemQueries, mergedText, idempotencyKey } = request;
      const input = { itemIds, date, itemQueries, mergedText, idempotencyKey };
      return answerWrite(context, () => mergeFoodItems(dependencies, { actor, input }, context));
    },
    deleteFoodItem: async ({ item, idempotencyKey, requestId }, context) => {
      const actor = actorOfUser(userOf(context), requestId);
      const { itemId, date, query } = item ?? {};
      const input = { selector: { itemId, date, query }, idempotencyKey };
      return answerWrite(context, () => deleteFoodItem(dependencies, { actor, input }, context));
    },
  };
}

/** Tools log for their user; operators seed demonstration data. */
function loggingActor(
  { accountId, origin, requestId }: LogFoodRequest,
  context: CallContext,
): Actor {
  const { user } = context;
  if (origin !== (user ? Origin.TOOL : Origin.SEED)) {
    const message = "origin must be TOOL for a user's write and SEED for an operator's.";
    throw new Failure("permission_denied", "ORIGIN_NOT_ALLOWED", message);
  }
  const account = accountOf(context, accountId);
  if (user) return actorOfUser(user, requestId);
  return { accountId: account, origin: "seed", credential: undefined, requestId };
}
