import { Failure } from "@nutrition/core/failure";

import type { CallDeadline } from "./incoming-call.ts";

/**
 * A deadline that costs nothing until somebody listens: most handlers never use the signal, so its
 * timer is created on first use.
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

  /** The caller cancelled. */
  cancel(): void {
    this.#abort(new Failure("cancelled", "CANCELLED", "The caller cancelled the call."));
  }

  /** The call has been answered. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #expire(): void {
    this.#abort(new Failure("deadline_exceeded", "DEADLINE_EXCEEDED", "The call took too long."));
  }

  #abort(reason: Failure): void {
    clearTimeout(this.#timer);
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

/**
 * Resolves like `promise`; rejects once `timeoutMs` have passed or `signal` aborts. The work behind
 * the promise continues.
 */
export async function withinTime<Value>(
  promise: Promise<Value>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Value> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(deadlineExceeded()), timeoutMs);
  const onAbort = () => reject(cancelled());
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    if (signal?.aborted) throw cancelled();
    return await Promise.race([promise, ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    ended.catch(() => {});
    promise.catch(() => {});
  }
}

/** The failure of a caller whose deadline has passed. */
export function deadlineExceeded(): Failure {
  return new Failure(
    "deadline_exceeded",
    "DEADLINE_EXCEEDED",
    "The call took too long; try again.",
  );
}

/** The failure of a caller that cancelled. */
export function cancelled(): Failure {
  return new Failure("cancelled", "CANCELLED", "The call was cancelled.");
}
