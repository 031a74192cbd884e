import { Failure } from "@nutrition/core/failure";
import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type {
  JournalService,
  LogFoodRequest,
} from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { CallContext } from "@nutrition/rpc/context";
import type { Handlers } from "@nutrition/rpc/service-definition";

import type { Actor } from "../domain/actor.ts";
import { logFood } from "../operations/log-food.ts";
import type { WriteDependencies } from "../operations/guarded-write.ts";
import { accountOf, actorOfUser } from "./account.ts";
import { answerWrite } from "./write-outcome.ts";

/** Tools log for their user; operators seed demonstration data. */
export function logFoodHandler(
  dependencies: WriteDependencies,
): NonNullable<Handlers<typeof JournalService>["logFood"]> {
  return async (request, context) => {
    const actor = actorOf(request, context);
    const { foodText, detailedDescription, date, idempotencyKey } = request;
    const input = { foodText, detailedDescription, date, idempotencyKey };
    return answerWrite(context, () => logFood(dependencies, { actor, input }, context));
  };
}

function actorOf({ accountId, origin, requestId }: LogFoodRequest, context: CallContext): Actor {
  const { user } = context;
  if (origin !== (user ? Origin.TOOL : Origin.SEED)) {
    const message = "origin must be TOOL for a user's write and SEED for an operator's.";
    throw new Failure("permission_denied", "ORIGIN_NOT_ALLOWED", message);
  }
  const account = accountOf(context, accountId);
  if (user) return actorOfUser(user, requestId);
  return { accountId: account, origin: "seed", credential: undefined, requestId };
}
