import type { PolicyRole } from "./policy.ts";

/** State of one policy for a credential or its account. */
export interface PolicyState {
  name: string;
  max: number;
  windowSeconds: number;
  /** Units left; never overstated. */
  remaining: number;
  /** Time until `remaining` grows, at least one second. */
  resetMs: number;
  /** Whether the policy counts the account over all its credentials. */
  isOfAccount: boolean;
  role: PolicyRole;
}

/** One violated policy. */
export interface Violation {
  policy: PolicyState;
  /** Units in use. */
  used: number;
  /** Units requested. */
  requested: number;
  /** Time until the same call fits, never understated; undefined when it never fits. */
  retryAfterMs: number | undefined;
}

export interface Allowed {
  allowed: true;
  /** Moment of its event in microseconds since 1970. */
  atUs: number;
  policies: PolicyState[];
}

export interface Refused {
  allowed: false;
  /** All violated policies, longest wait first. */
  violations: [Violation, ...Violation[]];
  policies: PolicyState[];
  /**
   * Time for which committed events alone keep the credential from being allowed anything, so that
   * every instance would refuse. 0 when there is no such time, or when the denial counts units that
   * may still be released.
   */
  frozenMs: number;
}

/** The answer to a limit request. */
export type Decision = Allowed | Refused;

/** Orders violations by wait, longest first; those that never fit come before all others. */
export function longestWaitFirst(a: Violation, b: Violation): number {
  const [waitA, waitB] = [a.retryAfterMs ?? Infinity, b.retryAfterMs ?? Infinity];
  return waitA === waitB ? 0 : waitB - waitA;
}
