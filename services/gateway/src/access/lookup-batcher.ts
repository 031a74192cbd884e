import type { Clock } from "@nutrition/core/clock";
import { LRUCache } from "lru-cache";

import { SharedPauses } from "./shared-pauses.ts";

/** Interval between lookups of credentials from slowed networks. */
export const LOOKUP_PAUSE_MS = 20;
/** Time for which a network is slowed after it sent an invalid credential. */
const SLOWED_MS = 1_000;
const NETWORKS_MAX = 10_000;

/**
 * Batches the lookups of networks that have just sent an invalid credential, one batch every 20 ms. A flood
 * becomes slower and each of its lookups cheaper, and no request is refused.
 */
export class LookupBatcher {
  readonly #clock: Clock;
  readonly #untilMs = new LRUCache<string, number>({ max: NETWORKS_MAX });
  readonly #pauses: SharedPauses;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#pauses = new SharedPauses(clock, LOOKUP_PAUSE_MS);
  }

  add(network: string): void {
    this.#untilMs.set(network, this.#clock.monotonicMs() + SLOWED_MS);
  }

  /** Resolves when a credential of the network may be looked up; undefined if there is no need to wait. */
  pause(network: string): Promise<void> | undefined {
    const untilMs = this.#untilMs.get(network);
    if (untilMs === undefined || this.#clock.monotonicMs() >= untilMs) return undefined;
    return this.#pauses.end(network);
  }
}
