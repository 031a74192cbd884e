import { LRUCache } from "lru-cache";

import type { Clock } from "./clock.ts";

export interface TimeBudgetOptions {
  clock: Clock;
  /** Working time that a key may use without resting, in ms. */
  burstMs: number;
  /** Long-term share of the time that a key may work, above 0 and at most 1. */
  share: number;
  /**
   * Maximum time counted for one piece of work, in ms. When a dependency becomes slow, no key rests
   * longer than `workMaxMs / share`.
   */
  workMaxMs: number;
}

/** Maximum number of remembered keys; a forgotten one starts with a full burst. */
const KEYS_MAX = 10_000;

/**
 * Computes how long a key (an account, a network) must rest after its work, so that in the long run
 * it works for at most `share` of the time. It is a leaky bucket that fills with working time.
 */
export class TimeBudget {
  readonly #options: TimeBudgetOptions;
  /** When each key may work again with a full burst, in monotonic time. */
  readonly #paidOffAtMs = new LRUCache<string, number>({ max: KEYS_MAX });

  constructor(options: TimeBudgetOptions) {
    this.#options = options;
  }

  /** Starts measuring work of `key`. Call the returned function once when it ends, then wait. */
  start(key: string): () => Promise<void> | undefined {
    const { clock } = this.#options;
    const startedAtMs = clock.monotonicMs();
    return () => {
      const restMs = this.#spend(key, clock.monotonicMs() - startedAtMs);
      return restMs > 0 ? clock.sleep(restMs) : undefined;
    };
  }

  #spend(key: string, workMs: number): number {
    const { clock, burstMs, share, workMaxMs } = this.#options;
    const nowMs = clock.monotonicMs();
    const sinceMs = Math.max(nowMs, this.#paidOffAtMs.get(key) ?? 0);
    const paidOffAtMs = sinceMs + Math.min(workMs, workMaxMs) / share;
    this.#paidOffAtMs.set(key, paidOffAtMs);
    return paidOffAtMs - nowMs - burstMs / share;
  }
}
