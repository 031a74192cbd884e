import type { ReceivedSpan } from "@nutrition/telemetry/otlp/received";

import type { Trace } from "../store/trace-store.ts";

/** A span with its depth below its parent. */
export interface WaterfallRow {
  readonly span: ReceivedSpan;
  /** 0 for the first span. */
  readonly depth: number;
  /** Whether its parent has not arrived. */
  readonly isOrphan: boolean;
}

export interface Waterfall {
  readonly rows: readonly WaterfallRow[];
  /** Start of the earliest span, in milliseconds since 1970. */
  readonly startMs: number;
  /** From then to the end of the last span. */
  readonly durationMs: number;
}

interface Place {
  span: ReceivedSpan;
  depth: number;
}

/** Orders the spans of a trace by parent, siblings by time. Shows each span once. */
export function waterfallOf({ spans }: Trace): Waterfall {
  const byTime = spans.toSorted((one, other) => one.startMs - other.startMs);
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const children = Map.groupBy(byTime, ({ parentSpanId }) => parentSpanId);
  const rowsBySpan = new Map<ReceivedSpan, WaterfallRow>();
  const tops = byTime.filter(({ parentSpanId }) => !ids.has(parentSpanId));
  // Spans in a cycle of parents have no top-level ancestor; they come last.
  for (const top of [...tops, ...byTime]) {
    const waiting: Place[] = [{ span: top, depth: 0 }];
    for (let place = waiting.pop(); place; place = waiting.pop()) {
      const { span, depth } = place;
      if (rowsBySpan.has(span)) continue;
      const isOrphan = depth === 0 && span.parentSpanId !== "";
      rowsBySpan.set(span, { span, depth, isOrphan });
      const below = children.get(span.spanId) ?? [];
      waiting.push(...below.toReversed().map((child) => ({ span: child, depth: depth + 1 })));
    }
  }
  const startMs = byTime[0]?.startMs ?? 0;
  const ends = spans.map(({ startMs, durationMs }) => startMs + Math.max(0, durationMs));
  return {
    rows: [...rowsBySpan.values()],
    startMs,
    durationMs: ends.reduce((latest, end) => Math.max(latest, end), startMs) - startMs,
  };
}
