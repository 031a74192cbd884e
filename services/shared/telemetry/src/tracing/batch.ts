import type { Context } from "@opentelemetry/api";
import { ROOT_CONTEXT, SpanKind, context, trace } from "@opentelemetry/api";

import { currentTracing, inNewSpan } from "./tracer.ts";

/** The asking request, to be kept with what it waits for in a queue. */
export function currentCaller(): Context {
  return currentTracing() ? context.active() : ROOT_CONTEXT;
}

/**
 * Runs a batch for several requests: in the trace of the first traced one, linked to those of the
 * others. Otherwise whichever request started the batch would seem to have caused it.
 */
export function runBatch<Result>(
  name: string,
  callers: readonly Context[],
  work: () => Promise<Result>,
): Promise<Result> {
  if (!currentTracing()) return work();
  const [first, ...others] = callers.filter((caller) => trace.getSpan(caller)?.isRecording());
  if (!first) return context.with(ROOT_CONTEXT, work);
  const shape = { name, kind: SpanKind.INTERNAL, attributes: {} };
  return inNewSpan(shape, first, (span) => {
    for (const other of others) {
      const linked = trace.getSpanContext(other);
      if (linked) span?.addLink({ context: linked });
    }
    return work();
  });
}
