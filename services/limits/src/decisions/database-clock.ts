import type { Clock } from "@nutrition/core/clock";

interface Reading {
  databaseUs: number;
  /** The reading was made between these two, on this process's monotonic clock. */
  askedAtMs: number;
  answeredAtMs: number;
}

/** Older readings are not trusted: two clocks drift apart. */
const READING_MAX_AGE_MS = 60_000;

/**
 * The database's clock as this process knows it. It is the only one that instances share, so what
 * one tells another is dated by it: no clock of an instance, nor one of Redis, has to be right.
 */
export class DatabaseClock {
  readonly #clock: Clock;
  #reading: Reading | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes what the database's clock showed at some moment since `askedAtMs`. */
  observe(databaseUs: number, askedAtMs: number): void {
    this.#reading = { databaseUs, askedAtMs, answeredAtMs: this.#clock.monotonicMs() };
  }

  /**
   * When the database's clock shows a moment, on the monotonic clock: not before `earliestMs` nor
   * after `latestMs`. Undefined when the database was not heard of lately.
   */
  toMonotonic(databaseUs: number): { earliestMs: number; latestMs: number } | undefined {
    const reading = this.#reading;
    if (!reading) return undefined;
    const { askedAtMs, answeredAtMs } = reading;
    if (this.#clock.monotonicMs() - askedAtMs > READING_MAX_AGE_MS) return undefined;
    const passedMs = (databaseUs - reading.databaseUs) / 1_000;
    return { earliestMs: askedAtMs + passedMs, latestMs: answeredAtMs + passedMs };
  }
}
