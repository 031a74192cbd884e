import type { Span, SpanContext } from "@opentelemetry/api";
import { TraceFlags, isSpanContextValid } from "@opentelemetry/api";

/** Version 00; later versions may add fields after these (W3C Trace Context, section 3.2). */
const PATTERN = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.{0,200})?$/;

/** The span that a `traceparent` names; undefined when there is none or it is malformed. */
export function parseTraceparent(text: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = (text && PATTERN.exec(text)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const parsed = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(parsed) ? parsed : undefined;
}

/** The `traceparent` that makes subsequent work a child of this sampled span. */
export function traceparentOf(span: Span): string {
  const { traceId, spanId } = span.spanContext();
  return `00-${traceId}-${spanId}-01`;
}
