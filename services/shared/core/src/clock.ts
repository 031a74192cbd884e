import { setTimeout as timeout } from "node:timers/promises";

/**
 * Maximum difference between the clocks of two machines that still accept each other's tokens, in
 * seconds. Only what leaves a process is judged by the wall clock, with this tolerance. What lives in
 * one process is judged by monotonic time, which a step of the clock does not change
 * (docs/decisions/0060).
 */
export const CLOCK_TOLERANCE_S = 5;

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

/** A clock for tests. It changes only by `advance`, `sleep` and `step`. */
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

  /** Steps the wall clock, as a resumed machine or NTP does; negative values step it back. */
  step(ms: number): void {
    this.#now += ms;
  }

  async sleep(ms: number): Promise<void> {
    this.advance(ms);
  }
}
