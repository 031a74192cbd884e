/** Age from which cancelling an abandoned statement is worthwhile. */
const CANCEL_AFTER_MS = 100;

/**
 * Watches one running statement: cancels it once `signal` has aborted and it has run for 100 ms.
 */
export class Cancellation {
  readonly #startedAtMs = performance.now();
  readonly #signal: AbortSignal;
  readonly #cancel: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #sent: Promise<void> | undefined;

  /** `cancel` resolves once no cancel is in progress. */
  constructor(signal: AbortSignal, cancel: () => Promise<void>) {
    this.#signal = signal;
    this.#cancel = cancel;
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /**
   * Call this when the statement has ended. Resolves when the connection may run another one: a
   * cancel that was sent has arrived by then, so it cannot hit the next statement. Rejects when
   * that is unknown, and the connection must be closed.
   */
  async end(): Promise<void> {
    this.#signal.removeEventListener("abort", this.#onAbort);
    clearTimeout(this.#timer);
    await this.#sent;
  }

  readonly #onAbort = (): void => {
    const age = performance.now() - this.#startedAtMs;
    this.#timer = setTimeout(() => this.#send(), Math.max(0, CANCEL_AFTER_MS - age));
  };

  #send(): void {
    this.#sent = this.#cancel();
    // The awaiting caller handles a rejection.
    this.#sent.catch(() => {});
  }
}
