import type { Clock } from "@nutrition/core/clock";

import { WindowCounter } from "../http/window-counter.ts";
import { SharedPauses } from "./shared-pauses.ts";

const WINDOW_MS = 1_000;
/** Refusals per second that are sent without delay; clients that heed a refusal never reach it. */
export const REFUSALS_AT_ONCE_MAX = 16;
/** Pause before the further refusals of that second, which are then sent together. */
export const REFUSAL_PAUSE_MS = 500;

/**
 * Slows clients that ignore refusals: each of their connections gets at most two refusals a second, even
 * though a refusal is cheap. It only delays refusals and never refuses anything itself.
 */
export class RefusalPace {
  readonly #refusals: WindowCounter;
  readonly #pauses: SharedPauses;

  constructor(clock: Clock) {
    this.#pauses = new SharedPauses(clock, REFUSAL_PAUSE_MS);
    this.#refusals = new WindowCounter(WINDOW_MS, clock);
  }

  /**
   * Counts a refusal of `name` (an account, a network). Resolves when it is time to send the refusal;
   * undefined if there is no need to wait.
   */
  pause(name: string): Promise<void> | undefined {
    const { count } = this.#refusals.add(name);
    return count <= REFUSALS_AT_ONCE_MAX ? undefined : this.#pauses.end(name);
  }
}
