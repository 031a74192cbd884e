import { Failure } from "@nutrition/core/failure";

import type { CallDeadline } from "./dispatcher.ts";

/**
 * A deadline that costs nothing until somebody listens: most handlers never ask for the signal, so
 * its timer is made on first use.
 */
export class LazyDeadline implements CallDeadline {
  readonly #endsAtMs: number;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reason: Failure | undefined;

  constructor(timeoutMs: number) {
    this.#endsAtMs = performance.now() + timeoutMs;
  }

  remainingMs(): number {
    return this.#endsAtMs - performance.now();
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
      else this.#timer = setTimeout(() => this.#expire(), this.remainingMs());
    }
    return this.#controller.signal;
  }

  /** The caller gave up. */
  cancel(): void {
    this.#abort(new Failure("cancelled", "CANCELLED", "The caller gave up."));
  }

  /** The call has been answered. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #expire(): void {
    this.#abort(new Failure("deadline_exceeded", "DEADLINE_EXCEEDED", "It took too long."));
  }

  #abort(reason: Failure): void {
    clearTimeout(this.#timer);
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}
