import type { ReceivedAttributes, ReceivedSpan } from "@nutrition/telemetry/otlp/received";

/** The received spans of one trace, in order of arrival. */
export interface Trace {
  readonly traceId: string;
  readonly spans: readonly ReceivedSpan[];
}

export interface TraceBounds {
  /** Maximum number of traces; the oldest are dropped. */
  tracesMax: number;
  /** Maximum number of spans of one trace; further ones are dropped. */
  spansPerTraceMax: number;
  /** Maximum memory of all spans, as `sizeOf` estimates it. */
  bytesMax: number;
  /** Maximum size of a span; larger ones are dropped. */
  spanBytesMax: number;
}

interface KeptTrace extends Trace {
  readonly spansById: Map<string, ReceivedSpan>;
  readonly spans: ReceivedSpan[];
  bytes: number;
}

const BOUNDS: TraceBounds = {
  tracesMax: 1_000,
  spansPerTraceMax: 1_000,
  bytesMax: 32 * 1024 ** 2,
  spanBytesMax: 16 * 1024,
};
const TRACE_ID = /^[0-9a-f]{32}$/;
const SPAN_ID = /^[0-9a-f]{16}$/;

/** The latest traces, with limits on number and memory whatever is sent. */
export class TraceStore {
  readonly #bounds: TraceBounds;
  /** Oldest first. */
  readonly #traces = new Map<string, KeptTrace>();
  #bytes = 0;
  #dropped = 0;

  constructor(bounds: TraceBounds = BOUNDS) {
    this.#bounds = bounds;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Number of spans that were too large, too many or malformed. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Oldest first. */
  get traces(): readonly Trace[] {
    return [...this.#traces.values()];
  }

  trace(traceId: string): Trace | undefined {
    return this.#traces.get(traceId);
  }

  addSpans(spans: readonly ReceivedSpan[]): void {
    for (const span of spans) this.#add(span);
  }

  #add(span: ReceivedSpan): void {
    const bytes = sizeOf(span);
    const isSound = TRACE_ID.test(span.traceId) && SPAN_ID.test(span.spanId);
    if (!isSound || bytes > this.#bounds.spanBytesMax) {
      this.#dropped += 1;
      return;
    }
    const trace = this.#traceOf(span.traceId);
    // A sender repeats a batch when it receives no response.
    if (trace.spansById.has(span.spanId)) return;
    if (trace.spans.length >= this.#bounds.spansPerTraceMax) {
      this.#dropped += 1;
      return;
    }
    trace.spansById.set(span.spanId, span);
    trace.spans.push(span);
    trace.bytes += bytes;
    this.#bytes += bytes;
    this.#forgetOldest();
  }

  #traceOf(traceId: string): KeptTrace {
    const existing = this.#traces.get(traceId);
    if (existing) return existing;
    const trace: KeptTrace = { traceId, spans: [], spansById: new Map(), bytes: 0 };
    this.#traces.set(traceId, trace);
    return trace;
  }

  #forgetOldest(): void {
    const { tracesMax, bytesMax } = this.#bounds;
    for (const [traceId, { bytes }] of this.#traces) {
      if (this.#traces.size <= tracesMax && this.#bytes <= bytesMax) return;
      this.#traces.delete(traceId);
      this.#bytes -= bytes;
    }
  }
}

const SPAN_BYTES = 400;
const ENTRY_BYTES = 100;
const BYTES_PER_CHARACTER = 2;

/** Rough upper bound of a span's memory: its text at two bytes a character and its objects. */
export function sizeOf(span: ReceivedSpan): number {
  const { service, name, attributes, events, linkedTraceIds } = span;
  const eventBytes = events.map(
    (event) => textBytes(event.name) + attributesSize(event.attributes),
  );
  return (
    SPAN_BYTES +
    textBytes(service) +
    textBytes(name) +
    textBytes(span.parentSpanId) +
    attributesSize(attributes) +
    eventBytes.reduce((sum, bytes) => sum + bytes, 0) +
    linkedTraceIds.reduce((sum, id) => sum + textBytes(id), 0)
  );
}

/** Rough upper bound of the attributes' memory. */
export function attributesSize(attributes: ReceivedAttributes): number {
  return Object.entries(attributes).reduce(
    (sum, [key, value]) => sum + textBytes(key) + textBytes(String(value)),
    0,
  );
}

function textBytes(text: string): number {
  return ENTRY_BYTES + text.length * BYTES_PER_CHARACTER;
}
