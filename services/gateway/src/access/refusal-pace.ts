import type { Clock } from "@nutrition/core/clock";

import { WindowCounter } from "../http/window-counter.ts";

const WINDOW_MS = 1_000;
/** Refusals per second that are sent without delay; clients that heed a refusal never reach it. */
export const REFUSALS_AT_ONCE_MAX = 16;
/** Pause before each further refusal of that second. */
export const REFUSAL_PAUSE_MS = 500;

/**
 * Slows clients that ignore refusals: each of their connections gets at most two refusals a second, even
 * though a refusal is cheap. It only delays refusals and never refuses anything itself.
 */
export class RefusalPace {
  readonly #clock: Clock;
  readonly #refusals: WindowCounter;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#refusals = new WindowCounter(WINDOW_MS, clock);
  }

  /**
   * Counts a refusal of `name` (an account, a network). Resolves when it is time to send the refusal;
   * undefined if there is no need to wait.
   */
  pause(name: string): Promise<void> | undefined {
    const { count } = this.#refusals.add(name);
    return count <= REFUSALS_AT_ONCE_MAX ? undefined : this.#clock.sleep(REFUSAL_PAUSE_MS);
  }
}
