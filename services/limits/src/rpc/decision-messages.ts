import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type {
  PolicyStateSchema,
  RefusalSchema,
} from "@nutrition/proto/nutrition/limits/v1/limits_pb";

import type { PolicyState, Refused } from "../domain/decision.ts";

export function toPolicyState(state: PolicyState): MessageInitShape<typeof PolicyStateSchema> {
  const { name, max, windowSeconds, remaining, resetMs } = state;
  return { name, max, windowSeconds, remaining, reset: durationFromMs(Math.ceil(resetMs)) };
}

export function toRefusal({ violations }: Refused): MessageInitShape<typeof RefusalSchema> {
  const [deciding] = violations;
  const { policy, used, requested, retryAfterMs } = deciding;
  return {
    violated: violations.map((violation) => violation.policy.name),
    deciding: toPolicyState(policy),
    used,
    requested,
    ...(retryAfterMs === undefined ? {} : { retryAfter: durationFromMs(Math.ceil(retryAfterMs)) }),
  };
}
