import { Failure } from "@nutrition/core/failure";

import type { CallOptions } from "./service-definition.ts";

/**
 * The calls to other services that are made for one request: given up together, and known to have
 * ended.
 */
export class OpenCalls {
  /** Made when it is first asked for: most refused requests make no call. */
  #gaveUp: AbortController | undefined;
  #isGivenUp = false;
  /** The ends of calls that were given up after they were sent. */
  readonly #abandoned: Promise<void>[] = [];

  /** Aborts with the failure `cancelled` when the calls are given up. */
  get signal(): AbortSignal {
    if (!this.#gaveUp) {
      this.#gaveUp = new AbortController();
      if (this.#isGivenUp) this.#gaveUp.abort(GIVEN_UP);
    }
    return this.#gaveUp.signal;
  }

  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  /** What each of the calls is made with. */
  get options(): Required<Pick<CallOptions, "signal" | "onAbandoned">> {
    return { signal: this.signal, onAbandoned: (ended) => void this.#abandoned.push(ended) };
  }

  /** Throws the failure `cancelled` once the calls are given up. */
  assertWanted(): void {
    if (this.#isGivenUp) throw GIVEN_UP;
  }

  /** Drops the calls that have not started and cancels the others; later ones are never made. */
  giveUp(): void {
    if (this.#isGivenUp) return;
    this.#isGivenUp = true;
    // Calls that were sent report themselves as abandoned before this returns.
    this.#gaveUp?.abort(GIVEN_UP);
  }

  /**
   * Resolves once no service works any more on calls that were given up, which is later than their
   * rejection. To be asked when the others have been answered or given up.
   */
  async untilEnded(): Promise<void> {
    await Promise.all(this.#abandoned);
  }
}

const GIVEN_UP = new Failure("cancelled", "CANCELLED", "Nobody waits for the answer any more.");

/** Whether `error` is only what follows from giving the calls up: nobody is there to be told of it. */
export function isHangUp(error: unknown, { isGivenUp }: OpenCalls): boolean {
  return isGivenUp && error instanceof Failure && error.kind === "cancelled";
}
