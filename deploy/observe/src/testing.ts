import type { ReceivedSpan } from "@nutrition/telemetry/otlp/received";

/** A span as a receiver decodes it; its ids are derived from numbers. */
export function receivedSpan(
  ids: { trace?: number; span?: number; parent?: number },
  given: Partial<ReceivedSpan> = {},
): ReceivedSpan {
  const { trace = 1, span = 1, parent } = ids;
  return {
    service: "gateway",
    traceId: traceIdOf(trace),
    spanId: spanIdOf(span),
    parentSpanId: parent === undefined ? "" : spanIdOf(parent),
    name: "GET /api/v1/me",
    kind: "server",
    startMs: 1_000,
    durationMs: 10,
    attributes: {},
    events: [],
    linkedTraceIds: [],
    isError: false,
    ...given,
  };
}

export function traceIdOf(number: number): string {
  return number.toString(16).padStart(32, "0");
}

export function spanIdOf(number: number): string {
  return number.toString(16).padStart(16, "0");
}
