import type { PolicyState, Refused, Violation } from "./decision.ts";
import { longestWaitFirst } from "./decision.ts";
import { countsEverything, isOfAccount, roleOf } from "./policy.ts";
import type { Policy } from "./policy.ts";
import type { WindowCounter } from "./window-counter.ts";

const ALWAYS_DENIED_MS = 3_600_000;

/** Units of one policy that a limit request asks for, with the units in use. */
export interface PolicyCheck {
  policy: Policy;
  counter: WindowCounter;
  units: number;
}

/** State of the checked policy at `nowUs`. */
export function stateOf({ policy, counter }: PolicyCheck, nowUs: number): PolicyState {
  const { name, max, windowSeconds } = policy;
  const { oldestUs } = counter;
  const resetMs = oldestUs === undefined ? 0 : msUntilExpired(oldestUs, policy, nowUs);
  return {
    name,
    max,
    windowSeconds,
    remaining: Math.max(0, max - counter.units),
    resetMs: Math.max(1_000, resetMs),
    isOfAccount: isOfAccount(policy),
    role: roleOf(policy),
  };
}

/** Refuses a limit request because of the checks that it failed. */
export function refuse(checks: PolicyCheck[], violated: PolicyCheck[], nowUs: number): Refused {
  const violations = violated.map((check) => violationOf(check, nowUs)).sort(longestWaitFirst);
  // A release could still change the answer, or at least its times.
  const isCertain = checks.every(({ counter }) => !counter.hasReserved);
  const frozen = violated.map((check) => frozenMs(check, nowUs));
  return {
    allowed: false,
    violations: violations as [Violation, ...Violation[]],
    policies: checks.map((check) => stateOf(check, nowUs)),
    frozenMs: isCertain ? Math.max(...frozen) : 0,
  };
}

function violationOf(check: PolicyCheck, nowUs: number): Violation {
  const { policy, counter, units } = check;
  const endUs = counter.endOfUnits(counter.units + units - policy.max);
  const fitsEver = units <= policy.max && endUs !== undefined;
  return {
    policy: stateOf(check, nowUs),
    used: counter.units,
    requested: units,
    retryAfterMs: fitsEver ? msUntilExpired(endUs, policy, nowUs) : undefined,
  };
}

function frozenMs({ policy, counter }: PolicyCheck, nowUs: number): number {
  const excess = counter.units - policy.max;
  if (!countsEverything(policy) || excess < 0) return 0;
  const endUs = counter.endOfUnits(excess + 1);
  // If there is no such time, the maximum is 0 and waiting does not help.
  return endUs === undefined ? ALWAYS_DENIED_MS : msUntilExpired(endUs, policy, nowUs);
}

/** Windows include both ends, so an event counts until just after its window's length. */
function msUntilExpired(atUs: number, { windowSeconds }: Policy, nowUs: number): number {
  return Math.ceil((atUs + windowSeconds * 1_000_000 + 1 - nowUs) / 1_000);
}
