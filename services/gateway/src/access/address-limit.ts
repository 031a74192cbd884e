import type { Clock } from "@nutrition/core/clock";
import { networkOf } from "@nutrition/core/network";
import { LRUCache } from "lru-cache";

const WINDOW_MS = 60_000;
const ADDRESSES_MAX = 10_000;

interface Window {
  readonly startedAtMs: number;
  count: number;
}

/**
 * Limits the calls per minute from one address, or one IPv6 network, for calls without a credential
 * to count against. Best effort: each process counts separately and in memory.
 */
export class AddressLimit {
  readonly #max: number;
  readonly #clock: Clock;
  readonly #windows = new LRUCache<string, Window>({ max: ADDRESSES_MAX });

  constructor(max: number, clock: Clock) {
    this.#max = max;
    this.#clock = clock;
  }

  /**
   * Counts one call; returns the whole seconds to wait when there is no room for it, otherwise 0.
   */
  take(address: string): number {
    const nowMs = this.#clock.monotonicMs();
    const network = networkOf(address);
    const known = this.#windows.get(network);
    const isOpen = known !== undefined && nowMs - known.startedAtMs < WINDOW_MS;
    const window = isOpen ? known : { startedAtMs: nowMs, count: 0 };
    if (!isOpen) this.#windows.set(network, window);
    if (window.count >= this.#max)
      return Math.ceil((window.startedAtMs + WINDOW_MS - nowMs) / 1_000);
    window.count += 1;
    return 0;
  }
}
