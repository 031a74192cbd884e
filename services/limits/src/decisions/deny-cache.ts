import type { Clock } from "@nutrition/core/clock";

import type { Decision, PolicyState, Refused, Violation } from "../domain/decision.ts";
import type { Intent } from "../domain/usage.ts";
import { questionOf } from "../domain/usage.ts";

/** A refusal with its moments on the monotonic clock. */
export interface KnownRefusal {
  refused: Refused;
  /** Until then the refusal stays right. */
  frozenUntilMs: number;
  /** What the refusal's times count from. */
  decidedAtMs: number;
}

/** So long a refusal is told again; then the log is asked what has become of the other limits. */
export const REMEMBERED_MAX_MS = 60_000;

const ENTRIES_MAX = 50_000;

/**
 * Remembers refusals that stay right whatever happens, so that a flood of refused calls needs no
 * query. It can refuse and never allow. Only a refusal whose subject is frozen by committed events
 * is kept: until those expire nothing of the subject can be allowed, so its times stay exact.
 */
export class DenyCache {
  readonly #clock: Clock;
  readonly #entriesMax: number;
  readonly #entries = new Map<string, KnownRefusal>();
  #version: string;

  /** `version` is that of the policies in force. */
  constructor(clock: Clock, version: string, entriesMax = ENTRIES_MAX) {
    this.#clock = clock;
    this.#version = version;
    this.#entriesMax = entriesMax;
  }

  /** The refusal that still holds for the intent, with its times as they are now. */
  find(intent: Intent): Refused | undefined {
    const question = questionOf(intent);
    const entry = this.#entries.get(question);
    if (!entry) return undefined;
    const nowMs = this.#clock.monotonicMs();
    this.#entries.delete(question);
    if (nowMs >= entry.frozenUntilMs) return undefined;
    // Set again, so that the entry not used for longest is always the map's first.
    this.#entries.set(question, entry);
    return later(entry.refused, nowMs - entry.decidedAtMs);
  }

  /**
   * Remembers a decision if it is such a refusal. `askedAtMs` is the monotonic time before it was
   * asked for: its time to live counts from there, while its answers count from now, so that
   * neither is on the wrong side of the truth.
   */
  remember(
    intent: Intent,
    decision: Decision,
    origin: { version: string; askedAtMs: number },
  ): void {
    if (decision.allowed || decision.frozenMs === 0) return;
    const rememberedMs = Math.min(decision.frozenMs, REMEMBERED_MAX_MS);
    this.adopt(questionOf(intent), origin.version, {
      refused: decision,
      frozenUntilMs: origin.askedAtMs + rememberedMs,
      decidedAtMs: this.#clock.monotonicMs(),
    });
  }

  /** Remembers a refusal that was made by the policies of `version`. */
  adopt(question: string, version: string, refusal: KnownRefusal): void {
    if (version !== this.#version) return;
    this.#entries.delete(question);
    this.#entries.set(question, refusal);
    if (this.#entries.size > this.#entriesMax) {
      this.#entries.delete(this.#entries.keys().next().value as string);
    }
  }

  /** Forgets everything, because other policies are in force now. */
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
  const standing = others.filter(({ retryAfterMs }) => retryAfterMs !== 0);
  return {
    ...refused,
    violations: [deciding, ...standing],
    policies: refused.policies.map(shift),
  };
}
