import type { Refused } from "../src/domain/decision.ts";

/** A denial that is certain for a minute. */
export function refusal(changes: Partial<Refused> = {}): Refused {
  const policy = {
    name: "key-hour",
    max: 1,
    windowSeconds: 60,
    remaining: 0,
    resetMs: 60_000,
    isOfAccount: false,
    role: "requests" as const,
  };
  const violation = { policy, used: 1, requested: 1, retryAfterMs: 60_000 };
  return {
    allowed: false,
    violations: [violation],
    policies: [policy],
    frozenMs: 60_000,
    ...changes,
  };
}
