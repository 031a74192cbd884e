import type { Duration } from "@bufbuild/protobuf/wkt";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { LimitsService, SubjectKind } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import type { PolicyState, Refusal } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { createClient } from "@nutrition/rpc/client";
import type { Transport } from "@nutrition/rpc/service-definition";

import type { CountDecision, CountRefusal, RequestLimit } from "../domain/request-limit.ts";

const COUNT_TIMEOUT_MS = 2_000;
const REFUND_TIMEOUT_MS = 2_000;

/** The gateway's calls to the limits service. They reject with a `Failure`. */
export interface LimitsClient {
  /** Counts `cost` requests of the user's credential if none exceeds the limit. */
  count(user: UserIdentity, requestId: string, cost: number): Promise<CountDecision>;
  /** Refunds the requests of up to 256 receipts of `count`. */
  refund(receipts: string[]): Promise<void>;
}

export function createLimitsClient(transport: Transport): LimitsClient {
  const client = createClient(LimitsService, transport);
  return {
    async count(user, requestId, cost) {
      const isConnector = user.credentialKind === "connector";
      const reply = await client.count(
        {
          requestId,
          subjectKind: isConnector ? SubjectKind.CONNECTOR : SubjectKind.API_KEY,
          credentialId: user.credentialId,
          cost,
        },
        { timeoutMs: COUNT_TIMEOUT_MS, user },
      );
      return {
        limits: reply.policies.map(requestLimitOf),
        refusal: reply.refusal && countRefusalOf(reply.refusal),
        receipt: reply.receipt,
      };
    },
    async refund(receipts) {
      await client.refund({ receipts }, { timeoutMs: REFUND_TIMEOUT_MS });
    },
  };
}

function requestLimitOf(state: PolicyState): RequestLimit {
  return {
    name: state.name,
    max: state.max,
    windowSeconds: state.windowSeconds,
    remaining: state.remaining,
    // Rounding up to whole seconds could otherwise pass the window's end.
    resetSeconds: Math.min(secondsOf(state.reset) ?? Infinity, state.windowSeconds),
    isOfAccount: state.perAccount,
  };
}

function countRefusalOf(refusal: Refusal): CountRefusal {
  if (!refusal.deciding) throw new Error("The limits service refused without naming a limit.");
  const deciding = requestLimitOf(refusal.deciding);
  // Without a time, the batch can never fit; after one window, at least a smaller batch will.
  return { deciding, retryAfterSeconds: secondsOf(refusal.retryAfter) ?? deciding.windowSeconds };
}

/** Rounded up, so that waiting this long is enough. */
function secondsOf(duration: Duration | undefined): number | undefined {
  if (!duration) return undefined;
  return Math.max(1, Number(duration.seconds) + (duration.nanos > 0 ? 1 : 0));
}
