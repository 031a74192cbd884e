/** Age from which a statement that nobody waits for is worth a cancel. */
const CANCEL_AFTER_MS = 100;

/**
 * Watches over one running statement: cancels it when `signal` has aborted and it has run for
 * 100 ms, whichever comes last.
 */
export class Cancellation {
  readonly #startedAtMs = performance.now();
  readonly #signal: AbortSignal;
  readonly #cancel: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #sent: Promise<void> | undefined;

  /** `cancel` resolves once no cancel is under way any more. */
  constructor(signal: AbortSignal, cancel: () => Promise<void>) {
    this.#signal = signal;
    this.#cancel = cancel;
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /**
   * To be called when the statement has ended. Resolves when the connection may run another one: a
   * cancel that was sent has arrived by then, so it cannot hit what comes next. Rejects when that is
   * not known, and the connection must be closed.
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
    // Whoever ends this sees it.
    this.#sent.catch(() => {});
  }
}
