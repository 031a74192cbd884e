import { LRUCache } from "lru-cache";

import type { Clock } from "./clock.ts";

export interface TimeBudgetOptions {
  clock: Clock;
  /** Working time that a key may take without resting, ms. */
  burstMs: number;
  /** Part of the time, above 0 and at most 1, that a key may work in the long run. */
  share: number;
  /**
   * The most that one piece of work counts for, ms: when what is worked on has become slow, nobody
   * rests longer than `workMaxMs / share` for it.
   */
  workMaxMs: number;
}

/** Keys that are remembered; one that is forgotten starts with a full burst. */
const KEYS_MAX = 10_000;

/**
 * Tells how long a key (an account, a network) has to rest after its work, so that in the long run it
 * works for `share` of the time at most: a leaky bucket that fills with working time.
 */
export class TimeBudget {
  readonly #options: TimeBudgetOptions;
  /** When the work of a key will have been paid off, by the clock's monotonic time. */
  readonly #paidOffAtMs = new LRUCache<string, number>({ max: KEYS_MAX });

  constructor(options: TimeBudgetOptions) {
    this.#options = options;
  }

  /** Begins to measure work of `key`. The returned function ends it: call it once, then wait. */
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
