import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";

/** Real time, to which a test can add. */
export class ShiftedClock implements Clock {
  #shiftMs = 0;
  now = () => new Date(systemClock.now().getTime() + this.#shiftMs);
  monotonicMs = () => systemClock.monotonicMs() + this.#shiftMs;
  sleep = (ms: number, signal?: AbortSignal) => systemClock.sleep(ms, signal);

  advance(ms: number): void {
    this.#shiftMs += ms;
  }
}
