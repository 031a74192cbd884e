import type { Clock } from "@nutrition/core/clock";
import { LRUCache } from "lru-cache";

import type { CountDecision, CountRefusal, RequestLimit } from "../domain/request-limit.ts";

/** Short, so that a refund or a raised limit takes effect soon. */
const REFUSAL_AGE_MAX_MS = 2_000;
const REFUSALS_MAX = 10_000;

/** A refusal by the limits service. */
export interface DeniedDecision extends Pick<CountDecision, "limits"> {
  readonly refusal: CountRefusal;
}

interface Known {
  readonly decision: DeniedDecision;
  readonly atMs: number;
}

/**
 * Caches for a moment which credentials have used up their limit, so that a flood of refused requests causes
 * no calls.
 */
export class DenialCache {
  readonly #clock: Clock;
  readonly #known = new LRUCache<string, Known>({ max: REFUSALS_MAX });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `decision` must be the refusal of a single request, so that it holds for every further request. */
  remember(credential: string, decision: DeniedDecision): void {
    this.#known.set(credential, { decision, atMs: this.#clock.monotonicMs() });
  }

  /** The cached refusal for the credential, with its remaining times. */
  find(credential: string): DeniedDecision | undefined {
    const known = this.#known.get(credential);
    if (!known) return undefined;
    const ageMs = this.#clock.monotonicMs() - known.atMs;
    const { retryAfterSeconds } = known.decision.refusal;
    if (ageMs < Math.min(REFUSAL_AGE_MAX_MS, retryAfterSeconds * 1_000)) {
      return aged(known.decision, ageMs);
    }
    this.#known.delete(credential);
    return undefined;
  }
}

function aged({ limits, refusal }: DeniedDecision, ageMs: number): DeniedDecision {
  const left = (seconds: number) => Math.max(1, Math.ceil(seconds - ageMs / 1_000));
  const agedLimit = (limit: RequestLimit) => ({
    ...limit,
    resetSeconds: left(limit.resetSeconds),
  });
  return {
    limits: limits.map(agedLimit),
    refusal: {
      deciding: agedLimit(refusal.deciding),
      retryAfterSeconds: left(refusal.retryAfterSeconds),
    },
  };
}
