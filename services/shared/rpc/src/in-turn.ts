import { unlessAborted } from "@nutrition/core/abort";
import type { FairQueue } from "@nutrition/core/fair-queue";

import type { CallContext } from "./context.ts";

type AnyHandler = (request: never, context: CallContext) => Promise<unknown>;

/**
 * Wraps handlers so that each call for a user waits for a turn of that user's account; calls
 * without a user do not wait. A call cancelled before its turn is dropped. One that has begun keeps
 * its slot until its handler has settled, while its caller gets `cancelled` at once.
 */
export function inTurn<Those extends object>(handlers: Those, queue: FairQueue): Those {
  const waiting = Object.entries(handlers).map(([method, handler]) => [
    method,
    handler && takingTurns(handler as AnyHandler, queue),
  ]);
  return Object.fromEntries(waiting) as Those;
}

function takingTurns(handler: AnyHandler, queue: FairQueue): AnyHandler {
  return (request, context) => {
    const { user } = context;
    if (!user) return handler(request, context);
    const { signal } = context;
    const call = queue.run(user.accountId, () => handler(request, context), signal);
    return unlessAborted(call, signal);
  };
}
