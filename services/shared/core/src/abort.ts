import { Failure } from "./failure.ts";

/**
 * The failure for a caller whose signal has aborted: the signal's own failure, such as
 * `deadline_exceeded`, or `cancelled`.
 */
export function failureOf(signal: AbortSignal): Failure {
  if (signal.reason instanceof Failure) return signal.reason;
  const message = "The call was cancelled before it was answered.";
  return new Failure("cancelled", "CANCELLED", message, { cause: signal.reason });
}

/**
 * Settles like `pending`, unless `signal` aborts first: then it rejects at once with the failure of
 * `failureOf`, and the result of `pending` is dropped.
 */
export function unlessAborted<Result>(
  pending: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (!signal) return pending;
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(failureOf(signal));
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
    const forget = () => signal.removeEventListener("abort", giveUp);
    pending.then(resolve, reject);
    pending.then(forget, forget);
  });
}

/**
 * A signal that aborts once all of `signals` have aborted, and never when one of them is undefined.
 * Dispose it when nothing depends on it any longer.
 */
export function whenAllAbort(
  signals: readonly (AbortSignal | undefined)[],
): Disposable & { readonly signal: AbortSignal } {
  const all = new AbortController();
  let left = signals.length;
  const onAbort = () => {
    left -= 1;
    if (left === 0) all.abort();
  };
  for (const signal of signals) {
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  }
  return {
    signal: all.signal,
    [Symbol.dispose]: () => {
      for (const signal of signals) signal?.removeEventListener("abort", onAbort);
    },
  };
}
