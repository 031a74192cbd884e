import type { Context } from "@opentelemetry/api";
import { ROOT_CONTEXT, SpanKind, context, trace } from "@opentelemetry/api";

import { currentTracing, inNewSpan } from "./tracer.ts";

/** The span of the current request, to store with its work in a queue. */
export function currentCaller(): Context {
  return currentTracing() ? context.active() : ROOT_CONTEXT;
}

/**
 * Runs a batch for several requests: in the trace of the first traced one, with links to the
 * others. Otherwise the batch would appear in the trace of whichever request happened to start it.
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
