import type { Clock } from "@nutrition/core/clock";

/**
 * Pauses of equal length, one at a time per name. Callers that arrive during a pause wait for its end, so that
 * they all continue in one turn of the event loop, which costs a fraction of waking the process for each.
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
