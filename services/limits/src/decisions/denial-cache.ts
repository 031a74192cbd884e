import type { Clock } from "@nutrition/core/clock";

import type { Decision, PolicyState, Refused, Violation } from "../domain/decision.ts";
import type { LimitRequest } from "../domain/usage.ts";
import { decisionKey } from "../domain/usage.ts";

/** A denial with times of the monotonic clock. */
export interface CachedDenial {
  refused: Refused;
  /** Time until which the denial is certain to hold. */
  frozenUntilMs: number;
  /** Time that the denial's durations are relative to. */
  decidedAtMs: number;
}

/**
 * Maximum time for which a denial is reused. After that, the log is read again, because the state
 * of other limits may have changed.
 */
export const CACHED_MAX_MS = 60_000;

const ENTRIES_MAX = 50_000;

/**
 * Caches denials that are certain to hold, so that a flood of refused calls causes no queries. The
 * cache can refuse but never allow. It holds only denials caused by committed events: until those
 * leave their window, nothing of the subject can be allowed, so the times stay exact.
 */
export class DenialCache {
  readonly #clock: Clock;
  readonly #entriesMax: number;
  readonly #entries = new Map<string, CachedDenial>();
  #version: string;

  /** `version` is that of the policies in effect. */
  constructor(clock: Clock, version: string, entriesMax = ENTRIES_MAX) {
    this.#clock = clock;
    this.#version = version;
    this.#entriesMax = entriesMax;
  }

  /** The cached denial of the limit request, with its times relative to now. */
  find(limitRequest: LimitRequest): Refused | undefined {
    const question = decisionKey(limitRequest);
    const entry = this.#entries.get(question);
    if (!entry) return undefined;
    const nowMs = this.#clock.monotonicMs();
    this.#entries.delete(question);
    if (nowMs >= entry.frozenUntilMs) return undefined;
    // Inserted again, so that the map stays ordered by last use.
    this.#entries.set(question, entry);
    return later(entry.refused, nowMs - entry.decidedAtMs);
  }

  /**
   * Caches a decision if it is such a denial. `askedAtMs` is the monotonic time before the
   * question. The entry's lifetime counts from `askedAtMs` and its durations from now, so that both
   * err on the safe side.
   */
  remember(
    limitRequest: LimitRequest,
    decision: Decision,
    origin: { version: string; askedAtMs: number },
  ): void {
    if (decision.allowed || decision.frozenMs === 0) return;
    const rememberedMs = Math.min(decision.frozenMs, CACHED_MAX_MS);
    this.adopt(decisionKey(limitRequest), origin.version, {
      refused: decision,
      frozenUntilMs: origin.askedAtMs + rememberedMs,
      decidedAtMs: this.#clock.monotonicMs(),
    });
  }

  /** Caches a denial made under the policies of `version`. */
  adopt(question: string, version: string, refusal: CachedDenial): void {
    if (version !== this.#version) return;
    this.#entries.delete(question);
    this.#entries.set(question, refusal);
    if (this.#entries.size > this.#entriesMax) {
      this.#entries.delete(this.#entries.keys().next().value as string);
    }
  }

  /** Clears the cache after a change of policies. */
  reset(version: string): void {
    this.#version = version;
    this.#entries.clear();
  }
}

function later(refused: Refused, elapsedMs: number): Refused {
  const shift = (state: PolicyState) => ({
    ...state,
    resetMs: Math.max(1_000, state.resetMs - elapsedMs),
  });
  const shifted = refused.violations.map((violation) => ({
    ...violation,
    policy: shift(violation.policy),
    retryAfterMs:
      violation.retryAfterMs === undefined
        ? undefined
        : Math.max(0, violation.retryAfterMs - elapsedMs),
  }));
  const [deciding, ...others] = shifted as [Violation, ...Violation[]];
  const stillHolding = others.filter(({ retryAfterMs }) => retryAfterMs !== 0);
  return {
    ...refused,
    violations: [deciding, ...stillHolding],
    policies: refused.policies.map(shift),
  };
}
