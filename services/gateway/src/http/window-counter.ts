import type { Clock } from "@nutrition/core/clock";
import { LRUCache } from "lru-cache";

const NAMES_MAX = 10_000;

/** A window of fixed length that starts with its first event. */
export interface CountedWindow {
  readonly startedAtMs: number;
  /** Events so far. */
  count: number;
}

/**
 * Counts events by name (an address, an account) in fixed-length windows. Approximate: each process counts
 * separately, in memory.
 */
export class WindowCounter {
  readonly #windowMs: number;
  readonly #clock: Clock;
  readonly #windows = new LRUCache<string, CountedWindow>({ max: NAMES_MAX });

  constructor(windowMs: number, clock: Clock) {
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /** Counts one event of `name`; returns its current window. */
  add(name: string): Readonly<CountedWindow> {
    const known = this.#current(name);
    if (known) {
      known.count += 1;
      return known;
    }
    const window = { startedAtMs: this.#clock.monotonicMs(), count: 1 };
    this.#windows.set(name, window);
    return window;
  }

  /** Events of `name` in its current window. */
  countOf(name: string): number {
    return this.#current(name)?.count ?? 0;
  }

  #current(name: string): CountedWindow | undefined {
    const known = this.#windows.get(name);
    if (!known || this.#clock.monotonicMs() - known.startedAtMs >= this.#windowMs) return undefined;
    return known;
  }
}
