import type { Clock } from "@nutrition/core/clock";

/**
 * Pauses of equal length, one at a time for each name: whoever asks during a pause waits only for its end. So
 * what is delayed continues together, with one wake-up of the process, which costs a fraction of many.
 */
export class SharedPauses {
  readonly #clock: Clock;
  readonly #pauseMs: number;
  readonly #pauses = new Map<string, Promise<void>>();

  constructor(clock: Clock, pauseMs: number) {
    this.#clock = clock;
    this.#pauseMs = pauseMs;
  }

  /** Resolves at the end of the pause of `name`, which begins now unless it already has. */
  end(name: string): Promise<void> {
    const current = this.#pauses.get(name);
    if (current) return current;
    const pause = this.#clock.sleep(this.#pauseMs).then(() => void this.#pauses.delete(name));
    this.#pauses.set(name, pause);
    return pause;
  }
}
