const DELAY_MS = 1;
/** A larger batch would hardly make each request cheaper. */
const EXPECTED_MAX = 16;

/**
 * Delays a batch by up to 1 ms while fewer requests are waiting than were concurrent when the last
 * batch ended, so that a few callers share one batch instead of taking turns in small ones. A lone
 * caller is never delayed (docs/decisions/0051).
 */
export class BatchDelay {
  readonly #startBatch: () => void;
  #expected = 1;
  #timer: NodeJS.Timeout | undefined;

  /** Calls `startBatch` when a delay times out. */
  constructor(startBatch: () => void) {
    this.#startBatch = startBatch;
  }

  /** Records how many requests were concurrent at the end of a batch: those in it and those waiting. */
  observe(concurrent: number): void {
    this.#expected = Math.min(concurrent, EXPECTED_MAX);
  }

  /** Returns whether the batch should wait for more requests; if so, starts the timeout. */
  postpone(waiting: number): boolean {
    if (waiting === 0 || waiting >= this.#expected) return false;
    this.#timer ??= setTimeout(this.#startBatch, DELAY_MS);
    return true;
  }

  /** Cancels the timeout. Call it whenever a batch starts. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
