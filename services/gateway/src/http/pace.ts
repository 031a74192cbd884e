import type { Clock } from "@nutrition/core/clock";
import { LinkedList } from "@nutrition/core/linked-list";

import { WindowCounter } from "./window-counter.ts";

const WINDOW_MS = 1_000;

export interface PaceOptions {
  /** Events of a name within a second that slow nothing down. */
  readonly freePerSecond: number;
  /** Time until the next of those that wait continue. */
  readonly pauseMs: number;
  /** How many of a name continue after each pause; all by default. */
  readonly perPause?: number;
}

/** Those of one name that wait, in order of arrival. */
type Line = LinkedList<() => void>;

/**
 * Slows down names (networks, accounts) that make us work for nothing too often: whose requests are refused, or
 * whose connections end before they are answered. Nothing is refused. Those that wait continue together, in order
 * of arrival, because waking the process for each would cost several times as much.
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #clock: Clock;
  readonly #events: WindowCounter;
  readonly #lines = new Map<string, Line>();

  constructor(options: PaceOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#events = new WindowCounter(WINDOW_MS, clock);
  }

  /** Counts one event of `name`. */
  add(name: string): void {
    this.#events.add(name);
  }

  /**
   * Resolves when it is one's turn, or when `closed` resolves, which gives the turn to the next. Undefined if there
   * is no need to wait.
   */
  turn(name: string, closed?: Promise<unknown>): Promise<void> | undefined {
    if (this.#events.countOf(name) <= this.#options.freePerSecond) return undefined;
    const line = this.#lines.get(name) ?? this.#begin(name);
    return new Promise((resolve) => {
      let isWaiting = true;
      const place = line.push(() => {
        isWaiting = false;
        resolve();
      });
      void closed?.then(() => {
        if (isWaiting) line.remove(place);
        resolve();
      });
    });
  }

  #begin(name: string): Line {
    const line: Line = new LinkedList();
    this.#lines.set(name, line);
    void this.#serve(line).then(() => this.#lines.delete(name));
    return line;
  }

  async #serve(line: Line): Promise<void> {
    const { pauseMs, perPause = Number.POSITIVE_INFINITY } = this.#options;
    do {
      await this.#clock.sleep(pauseMs);
      for (let count = 0; count < perPause && line.size > 0; count += 1) line.shift()?.();
    } while (line.size > 0);
  }
}
