import { Failure } from "@nutrition/core/failure";

import type { CallOptions } from "./service-definition.ts";

/**
 * The call scope of one request: all its calls to other services, which are cancelled together and
 * report when they have ended.
 */
export class CallScope {
  /** Created on first use: most refused requests make no call. */
  #gaveUp: AbortController | undefined;
  #isGivenUp = false;
  /**
   * One promise for each call cancelled after it was sent; resolves when the callee has stopped.
   */
  readonly #abandoned: Promise<void>[] = [];

  /** Aborts with the failure `cancelled` when the calls are cancelled. */
  get signal(): AbortSignal {
    if (!this.#gaveUp) {
      this.#gaveUp = new AbortController();
      if (this.#isGivenUp) this.#gaveUp.abort(GIVEN_UP);
    }
    return this.#gaveUp.signal;
  }

  get isCancelled(): boolean {
    return this.#isGivenUp;
  }

  /** Options for each of the calls. */
  get options(): Required<Pick<CallOptions, "signal" | "onAbandoned">> {
    return { signal: this.signal, onAbandoned: (ended) => void this.#abandoned.push(ended) };
  }

  /** Throws the failure `cancelled` once the calls are cancelled. */
  assertNotCancelled(): void {
    if (this.#isGivenUp) throw GIVEN_UP;
  }

  /** Drops the calls that have not started and cancels the others; later ones are never made. */
  cancel(): void {
    if (this.#isGivenUp) return;
    this.#isGivenUp = true;
    // Sent calls report themselves as abandoned before this returns.
    this.#gaveUp?.abort(GIVEN_UP);
  }

  /**
   * Resolves once no service works on cancelled calls any longer, which is after they were
   * rejected. Call it when all other calls are answered or cancelled.
   */
  async untilEnded(): Promise<void> {
    await Promise.all(this.#abandoned);
  }
}

const GIVEN_UP = new Failure("cancelled", "CANCELLED", "Nobody waits for the answer any longer.");

/** Whether `error` is only a result of the cancellation, so that nobody needs a response. */
export function isCancellation(error: unknown, { isCancelled: isGivenUp }: CallScope): boolean {
  return isGivenUp && error instanceof Failure && error.kind === "cancelled";
}
