import type { Clock } from "@nutrition/core/clock";
import { ManualClock, systemClock } from "@nutrition/core/clock";

/** Time that the test advances, while background work waits in real time. */
export class SteppedClock extends ManualClock implements Clock {
  override sleep = (ms: number, signal?: AbortSignal) => systemClock.sleep(ms, signal);
}
