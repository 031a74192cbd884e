import type { Clock } from "@nutrition/core/clock";
import { networkOf } from "@nutrition/core/network";

import { WindowCounter } from "../http/window-counter.ts";

const WINDOW_MS = 60_000;

/**
 * Limits the calls per minute from one address, or one IPv6 network, for calls without a credential
 * to count against.
 */
export class AddressLimit {
  readonly #max: number;
  readonly #clock: Clock;
  readonly #calls: WindowCounter;

  constructor(max: number, clock: Clock) {
    this.#max = max;
    this.#clock = clock;
    this.#calls = new WindowCounter(WINDOW_MS, clock);
  }

  /** Counts one call and returns 0, or returns the whole seconds to wait if the limit is reached. */
  take(address: string): number {
    const { count, startedAtMs } = this.#calls.add(networkOf(address));
    if (count <= this.#max) return 0;
    return Math.ceil((startedAtMs + WINDOW_MS - this.#clock.monotonicMs()) / 1_000);
  }
}
