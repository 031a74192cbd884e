import type { Writable } from "node:stream";

import type { Clock } from "@nutrition/core/clock";
import { FairQueue } from "@nutrition/core/fair-queue";
import { LRUCache } from "lru-cache";

import { REQUESTS_OPEN_MAX } from "./server.ts";
import { WindowCounter } from "./window-counter.ts";

const WINDOW_MS = 1_000;
const NETWORKS_MAX = 10_000;
/** Disconnects of a network per second that cause no delay, because clients cancel and networks fail. */
export const HANG_UPS_AT_ONCE_MAX = 32;
/** Time that each new connection of a slowed network waits first; most that will disconnect have done so. */
export const HANG_UP_PAUSE_MS = 12;
/** Length of a turn: how long a served connection counts against those that are still waiting. */
export const TURN_MS = 20;
/** New connections of one slowed network that are served per turn. */
export const TURNS_PER_NETWORK = 8;
/** Slowed networks take turns; every open connection can wait for its own. */
const TURNS = {
  slots: 64,
  slotsPerKey: TURNS_PER_NETWORK,
  waitingMax: REQUESTS_OPEN_MAX,
  waitingPerKeyMax: REQUESTS_OPEN_MAX,
};

/**
 * Slows networks whose clients keep disconnecting before they receive anything. For a second after more than 32
 * such disconnects within a second, new connections of the network wait for their turn, and those that
 * disconnect meanwhile lose it. Others are served later, in order of arrival; nobody is refused.
 */
export class HangUpPace {
  readonly #clock: Clock;
  readonly #hangUps: WindowCounter;
  readonly #slowedUntilMs = new LRUCache<string, number>({ max: NETWORKS_MAX });
  readonly #turns = new FairQueue(TURNS);

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#hangUps = new WindowCounter(WINDOW_MS, clock);
  }

  /** Counts a client that disconnected before it received anything. */
  add(network: string): void {
    const { count } = this.#hangUps.add(network);
    if (count <= HANG_UPS_AT_ONCE_MAX) return;
    this.#slowedUntilMs.set(network, this.#clock.monotonicMs() + WINDOW_MS);
  }

  isSlowed(network: string): boolean {
    return this.#clock.monotonicMs() < (this.#slowedUntilMs.get(network) ?? 0);
  }

  /**
   * Resolves when it is the turn of a new connection of a slowed network: to whether `stream`, its socket or
   * the response on it, is still open.
   */
  async turn(network: string, stream: Writable): Promise<boolean> {
    await this.#clock.sleep(HANG_UP_PAUSE_MS);
    if (stream.destroyed) return false;
    const gone = new AbortController();
    stream.once("close", () => gone.abort());
    return new Promise((resolve) => {
      const begin = () => {
        resolve(true);
        return this.#clock.sleep(TURN_MS);
      };
      this.#turns.run(network, begin, gone.signal).catch(() => resolve(false));
    });
  }
}
