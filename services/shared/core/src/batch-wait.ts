const WAIT_MS = 1;
/** A batch of this size waits for no more: their share of its cost would hardly be smaller. */
const EXPECTED_MAX = 16;

/**
 * How long a batch waits for requests that probably follow: up to 1 ms for as many as were concurrent
 * before, so that those of few callers form one batch instead of alternating small ones. A lone
 * caller never waits (docs/decisions/0051).
 */
export class BatchWait {
  readonly #onEnd: () => void;
  #expected = 1;
  #timer: NodeJS.Timeout | undefined;

  /** `onEnd` is called when a wait has lasted 1 ms. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** Number of concurrent requests when a batch ends: its own and those that wait. */
  expect(concurrent: number): void {
    this.#expected = Math.min(concurrent, EXPECTED_MAX);
  }

  /** Begins or continues a wait if more requests are expected than those that wait; tells whether. */
  begin(waiting: number): boolean {
    if (waiting === 0 || waiting >= this.#expected) return false;
    this.#timer ??= setTimeout(this.#onEnd, WAIT_MS);
    return true;
  }

  /** Ends the wait, because a batch starts. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
