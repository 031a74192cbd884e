import fc from "fast-check";
import { expect, test } from "vitest";

import { receivedSpan, traceIdOf } from "../testing.ts";
import { sizeOf, TraceStore } from "./trace-store.ts";

const BOUNDS = { tracesMax: 5, spansPerTraceMax: 4, bytesMax: 12_000, spanBytesMax: 3_000 };

const anySpan = fc
  .record({
    trace: fc.nat(12),
    span: fc.nat(12),
    name: fc.string({ maxLength: 2_000 }),
    attributes: fc.dictionary(fc.string({ maxLength: 20 }), fc.string({ maxLength: 300 })),
    linkedTraceIds: fc.array(fc.string({ maxLength: 40 }), { maxLength: 5 }),
  })
  .map(({ trace, span, ...given }) => receivedSpan({ trace, span }, given));

test("a flood of spans stays within every limit, and the reported memory matches the stored spans", () => {
  fc.assert(
    fc.property(fc.array(anySpan, { maxLength: 200 }), (spans) => {
      const store = new TraceStore(BOUNDS);
      for (const span of spans) {
        store.addSpans([span]);
        const kept = store.traces.flatMap((trace) => trace.spans);
        expect(store.traces.length).toBeLessThanOrEqual(BOUNDS.tracesMax);
        expect(store.bytes).toBeLessThanOrEqual(BOUNDS.bytesMax);
        expect(store.bytes).toBe(kept.reduce((sum, one) => sum + sizeOf(one), 0));
        for (const { spans } of store.traces) {
          expect(spans.length).toBeLessThanOrEqual(BOUNDS.spansPerTraceMax);
        }
      }
    }),
  );
});

test("the size of a span includes all of its text", () => {
  fc.assert(
    fc.property(anySpan, (span) => {
      const texts = [span.name, ...span.linkedTraceIds, ...Object.entries(span.attributes).flat()];
      const characters = texts.reduce<number>((sum, text) => sum + String(text).length, 0);
      expect(sizeOf(span)).toBeGreaterThan(2 * characters);
    }),
  );
});

test("drops the oldest traces first", () => {
  const store = new TraceStore(BOUNDS);
  for (let trace = 1; trace <= 8; trace += 1) store.addSpans([receivedSpan({ trace })]);
  expect(store.traces.map(({ traceId }) => traceId)).toEqual([4, 5, 6, 7, 8].map(traceIdOf));
  expect(store.trace(traceIdOf(3))).toBeUndefined();
});

test("a batch that is sent again adds nothing", () => {
  const store = new TraceStore(BOUNDS);
  const spans = [receivedSpan({ span: 1 }), receivedSpan({ span: 2, parent: 1 })];
  store.addSpans(spans);
  const { bytes } = store;
  store.addSpans(spans);
  expect(store.trace(traceIdOf(1))?.spans).toEqual(spans);
  expect(store.bytes).toBe(bytes);
});

test.each([
  ["without a trace id", { traceId: "" }],
  ["with a trace id of another length", { traceId: "ab" }],
  ["with a span id of another length", { spanId: "ab".repeat(100) }],
  ["larger than the bound", { name: "x".repeat(2_000) }],
])("a span %s is dropped and counted, and evicts nothing", (_, given) => {
  const store = new TraceStore(BOUNDS);
  store.addSpans([receivedSpan({ trace: 1 }), receivedSpan({ trace: 2 }, given)]);
  expect(store.traces.map(({ traceId }) => traceId)).toEqual([traceIdOf(1)]);
  expect(store.dropped).toBe(1);
});
