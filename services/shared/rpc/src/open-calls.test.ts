import { Failure } from "@nutrition/core/failure";
import { expect, it } from "vitest";

import { OpenCalls, isHangUp } from "./open-calls.ts";

/** A sent call: it is abandoned when cancelled, and ends when the callee stops. */
function sentCall({ signal, onAbandoned }: OpenCalls["options"]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => onAbandoned(promise));
  return { stop: resolve };
}

/** Whether the calls have ended by the next turn of the event loop. */
function haveEnded(calls: OpenCalls): Promise<boolean> {
  const notYet = new Promise<boolean>((resolve) => setImmediate(resolve, false));
  return Promise.race([calls.untilEnded().then(() => true), notYet]);
}

it("cancelled calls have ended only once every callee has stopped", async () => {
  const calls = new OpenCalls();
  const [one, other] = [sentCall(calls.options), sentCall(calls.options)];
  calls.giveUp();
  one.stop();
  expect(await haveEnded(calls)).toBe(false);
  other.stop();
  expect(await haveEnded(calls)).toBe(true);
});

it("calls that were never sent have ended as soon as they are cancelled", async () => {
  const calls = new OpenCalls();
  calls.giveUp();
  calls.giveUp();
  expect(await haveEnded(calls)).toBe(true);
});

it("only the failure caused by the cancellation counts as a disconnect", () => {
  const calls = new OpenCalls();
  const cancelled = new Failure("cancelled", "CANCELLED", "Given up.");
  expect(isHangUp(cancelled, calls)).toBe(false);
  calls.giveUp();
  expect(isHangUp(cancelled, calls)).toBe(true);
  expect(isHangUp(new Failure("not_found", "GONE", "Gone."), calls)).toBe(false);
  expect(isHangUp(new Error("a bug"), calls)).toBe(false);
});
