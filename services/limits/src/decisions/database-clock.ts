import type { Clock } from "@nutrition/core/clock";

interface Reading {
  databaseUs: number;
  /** Bounds of the moment of the reading, on this process's monotonic clock. */
  askedAtMs: number;
  answeredAtMs: number;
}

/** Maximum age of a reading: clocks drift apart. */
const READING_MAX_AGE_MS = 60_000;

/**
 * This process's estimate of the database's clock. Times exchanged between instances are based on
 * it, because it is the only clock that they share; no clock of an instance or of Redis has to be
 * right.
 */
export class DatabaseClock {
  readonly #clock: Clock;
  #reading: Reading | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a reading that the database made at some time since `askedAtMs`. */
  observe(databaseUs: number, askedAtMs: number): void {
    this.#reading = { databaseUs, askedAtMs, answeredAtMs: this.#clock.monotonicMs() };
  }

  /**
   * Converts a time of the database's clock to this process's monotonic clock: not before
   * `earliestMs` and not after `latestMs`. Undefined without a recent reading.
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
