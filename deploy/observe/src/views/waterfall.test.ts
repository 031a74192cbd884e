import fc from "fast-check";
import { expect, test } from "vitest";

import { receivedSpan, spanIdOf, traceIdOf } from "../testing.ts";
import { waterfallOf } from "./waterfall.ts";

const anyTrace = fc
  .uniqueArray(
    fc.record({
      span: fc.nat(30),
      parent: fc.option(fc.nat(30), { nil: undefined }),
      startMs: fc.nat(1_000),
      durationMs: fc.integer({ min: -10, max: 1_000 }),
    }),
    { selector: ({ span }) => span, maxLength: 30 },
  )
  .map((spans) => ({
    traceId: traceIdOf(1),
    spans: spans.map(({ span, parent, startMs, durationMs }) =>
      receivedSpan({ span, ...(parent === undefined ? {} : { parent }) }, { startMs, durationMs }),
    ),
  }));

test("shows every span once and within the time range, whatever parents the spans claim", () => {
  fc.assert(
    fc.property(anyTrace, (trace) => {
      const { rows, startMs, durationMs } = waterfallOf(trace);
      expect(new Set(rows.map(({ span }) => span))).toEqual(new Set(trace.spans));
      expect(rows).toHaveLength(trace.spans.length);
      for (const { span } of rows) {
        expect(span.startMs).toBeGreaterThanOrEqual(startMs);
        expect(span.startMs + span.durationMs).toBeLessThanOrEqual(startMs + durationMs);
      }
    }),
  );
});

test("shows a span below its parent, siblings by time", () => {
  const spans = [
    receivedSpan({ span: 4, parent: 2 }, { startMs: 30 }),
    receivedSpan({ span: 3, parent: 1 }, { startMs: 40 }),
    receivedSpan({ span: 2, parent: 1 }, { startMs: 20 }),
    receivedSpan({ span: 1 }, { startMs: 10 }),
  ];
  const { rows } = waterfallOf({ traceId: traceIdOf(1), spans });
  expect(rows.map(({ span, depth }) => [span.spanId, depth])).toEqual([
    [spanIdOf(1), 0],
    [spanIdOf(2), 1],
    [spanIdOf(4), 2],
    [spanIdOf(3), 1],
  ]);
});

test("shows a span whose parent has not arrived separately, with a note", () => {
  const spans = [receivedSpan({ span: 1 }), receivedSpan({ span: 3, parent: 2 })];
  const { rows } = waterfallOf({ traceId: traceIdOf(1), spans });
  expect(rows.map(({ depth, isOrphan }) => [depth, isOrphan])).toEqual([
    [0, false],
    [0, true],
  ]);
});
