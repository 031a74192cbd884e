import { CLOCK_TOLERANCE_S } from "@nutrition/core/clock";
import type { Clock } from "@nutrition/core/clock";

const TOLERANCE_US = CLOCK_TOLERANCE_S * 1_000_000;

interface Reading {
  readonly databaseUs: number;
  /** Bounds of the moment of the reading, in monotonic time. */
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
}

/**
 * The database's time, without steps back: when its clock is set back, time goes on from where it was.
 * Otherwise a pause of a second would last as long as the clock needs to catch up. Lasts as long as this
 * process.
 */
export class SteadyTime {
  readonly #clock: Pick<Clock, "monotonicMs">;
  #last: Reading | undefined;
  /** How far this time is ahead of the database's. */
  #aheadUs = 0;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** Monotonic time before a reading, for `follow`. */
  askedAtMs(): number {
    return this.#clock.monotonicMs();
  }

  /** The time, in whole microseconds, of a reading of the database's clock that was made at some time since `askedAtMs`. */
  follow(databaseUs: number, askedAtMs: number): number {
    const reading = { databaseUs, askedAtMs, answeredAtMs: this.#clock.monotonicMs() };
    if (this.#last) this.#aheadUs = Math.max(0, this.#aheadUs - stepUs(this.#last, reading));
    this.#last = reading;
    return databaseUs + this.#aheadUs;
  }
}

/** How far the clock stepped between two readings; negative when it was set back, 0 when it did not step. */
function stepUs(last: Reading, reading: Reading): number {
  const passedUs = reading.databaseUs - last.databaseUs;
  const leastUs = Math.round((reading.askedAtMs - last.answeredAtMs) * 1_000);
  const mostUs = Math.round((reading.answeredAtMs - last.askedAtMs) * 1_000);
  if (passedUs < leastUs - TOLERANCE_US) return passedUs - leastUs;
  if (passedUs > mostUs + TOLERANCE_US) return passedUs - mostUs;
  return 0;
}
