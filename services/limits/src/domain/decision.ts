/** How much of one policy is left to a subject. */
export interface PolicyState {
  name: string;
  max: number;
  windowSeconds: number;
  /** Units left; never more than the truth. */
  remaining: number;
  /** Time until `remaining` grows; at least a second. */
  resetMs: number;
}

/** One policy that stands in the way. */
export interface Violation {
  policy: PolicyState;
  /** Units in use. */
  used: number;
  /** Units asked for. */
  requested: number;
  /** Time until the same call fits, never earlier than the truth; undefined when it never does. */
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
  /** All policies that were violated, the one to wait longest for first. */
  violations: [Violation, ...Violation[]];
  policies: PolicyState[];
  /**
   * Time for which events that are committed keep anything of the subject from being allowed, so
   * that the refusal stays right whoever looks: 0 when there is no such time, or when the refusal
   * counts something that may still be released.
   */
  frozenMs: number;
}

/** The answer to an intent. */
export type Decision = Allowed | Refused;

/** Orders violations; what never fits comes before what fits later. */
export function longestWaitFirst(a: Violation, b: Violation): number {
  const [waitA, waitB] = [a.retryAfterMs ?? Infinity, b.retryAfterMs ?? Infinity];
  return waitA === waitB ? 0 : waitB - waitA;
}
