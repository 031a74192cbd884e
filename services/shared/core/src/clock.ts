import { setTimeout as timeout } from "node:timers/promises";

/** Source of time, so that tests can control it. */
export interface Clock {
  /** Wall clock, for records and for times that leave the process. */
  now(): Date;
  /** Monotonic milliseconds, for durations and deadlines. */
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason if it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) => timeout(ms, undefined, signal ? { signal } : {}),
};

/** A clock for tests. It advances only by `advance` and `sleep`. */
export class ManualClock implements Clock {
  #now: number;
  #monotonicMs = 0;

  constructor(start: Date | string) {
    this.#now = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.#now);
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  advance(ms: number): void {
    this.#now += ms;
    this.#monotonicMs += ms;
  }

  async sleep(ms: number): Promise<void> {
    this.advance(ms);
  }
}
