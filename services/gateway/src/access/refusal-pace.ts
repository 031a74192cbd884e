import type { Clock } from "@nutrition/core/clock";

import { WindowCounter } from "./window-counter.ts";

const WINDOW_MS = 1_000;
/** Refusals in a second that are sent at once: clients that stop when told never notice the pace. */
export const REFUSALS_AT_ONCE_MAX = 16;
/** Pause before each further refusal of that second. */
export const REFUSAL_PAUSE_MS = 250;

/**
 * Slows clients that go on after refusals: each of their connections gets four refusals a second,
 * however little a refusal costs to make. Nothing is refused that would not have been.
 */
export class RefusalPace {
  readonly #clock: Clock;
  readonly #refusals: WindowCounter;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#refusals = new WindowCounter(WINDOW_MS, clock);
  }

  /**
   * Counts a refusal of `name` (an account, a network). Resolves when to send it; undefined when at
   * once.
   */
  pause(name: string): Promise<void> | undefined {
    const { count } = this.#refusals.add(name);
    return count <= REFUSALS_AT_ONCE_MAX ? undefined : this.#clock.sleep(REFUSAL_PAUSE_MS);
  }
}
