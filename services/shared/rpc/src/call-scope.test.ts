import { Failure } from "@nutrition/core/failure";
import { expect, it } from "vitest";

import { CallScope, isCancellation } from "./call-scope.ts";

/** A sent call: it is abandoned when cancelled, and ends when the callee stops. */
function sentCall({ signal, onAbandoned }: CallScope["options"]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => onAbandoned(promise));
  return { stop: resolve };
}

/** Whether all calls have ended by the next turn of the event loop. */
function haveEnded(calls: CallScope): Promise<boolean> {
  const notYet = new Promise<boolean>((resolve) => setImmediate(resolve, false));
  return Promise.race([calls.untilEnded().then(() => true), notYet]);
}

it("cancelled calls have ended only once every callee has stopped", async () => {
  const calls = new CallScope();
  const [one, other] = [sentCall(calls.options), sentCall(calls.options)];
  calls.cancel();
  one.stop();
  expect(await haveEnded(calls)).toBe(false);
  other.stop();
  expect(await haveEnded(calls)).toBe(true);
});

it("calls that were never sent have ended as soon as they are cancelled", async () => {
  const calls = new CallScope();
  calls.cancel();
  calls.cancel();
  expect(await haveEnded(calls)).toBe(true);
});

it("only the failure caused by the cancellation counts as a disconnect", () => {
  const calls = new CallScope();
  const cancelled = new Failure("cancelled", "CANCELLED", "Given up.");
  expect(isCancellation(cancelled, calls)).toBe(false);
  calls.cancel();
  expect(isCancellation(cancelled, calls)).toBe(true);
  expect(isCancellation(new Failure("not_found", "GONE", "Gone."), calls)).toBe(false);
  expect(isCancellation(new Error("a bug"), calls)).toBe(false);
});
