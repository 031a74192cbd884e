import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { PolicyRole } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import type {
  PolicyStateSchema,
  RefusalSchema,
} from "@nutrition/proto/nutrition/limits/v1/limits_pb";

import type { Decision, PolicyState, Refused } from "../domain/decision.ts";
import type { PolicyRole as Role } from "../domain/policy.ts";

const ROLES: Readonly<Record<Role, PolicyRole>> = {
  requests: PolicyRole.REQUESTS,
  cooldown: PolicyRole.COOLDOWN,
  writes: PolicyRole.WRITES,
  lines: PolicyRole.LINES,
  failed_analyses: PolicyRole.FAILED_ANALYSES,
};

export function toPolicyState(state: PolicyState): MessageInitShape<typeof PolicyStateSchema> {
  const { name, max, windowSeconds, remaining, resetMs, isOfAccount: perAccount } = state;
  const role = ROLES[state.role];
  const reset = durationFromMs(Math.ceil(resetMs));
  return { name, max, windowSeconds, remaining, reset, perAccount, role };
}

/**
 * The limit states to report for a request: those of its credential, and those of its account that
 * refuse it or leave fewer units.
 */
export function requestStates(decision: Decision): PolicyState[] {
  const ownPolicies = decision.policies.filter(({ isOfAccount }) => !isOfAccount);
  const least = Math.min(...ownPolicies.map(({ remaining }) => remaining));
  const refusing = decision.allowed ? [] : decision.violations.map(({ policy }) => policy.name);
  return decision.policies.filter(
    ({ isOfAccount, name, remaining }) =>
      !isOfAccount || remaining < least || refusing.includes(name),
  );
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
