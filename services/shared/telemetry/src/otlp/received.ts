import { fromBinary } from "@bufbuild/protobuf";
import type { KeyValue, Metric, Span } from "@nutrition/proto/otlp/v1/otlp_pb";
import {
  ExportMetricsRequestSchema,
  ExportTraceRequestSchema,
} from "@nutrition/proto/otlp/v1/otlp_pb";

export type AttributeValue = string | boolean | number | undefined;
export type ReceivedAttributes = Readonly<Record<string, AttributeValue>>;

export interface ReceivedSpan {
  readonly service: string;
  /** Ids in hexadecimal; no parent is "". */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: "internal" | "server" | "client" | "producer" | "consumer";
  readonly startMs: number;
  readonly durationMs: number;
  readonly attributes: ReceivedAttributes;
  readonly events: readonly { name: string; atMs: number; attributes: ReceivedAttributes }[];
  readonly linkedTraceIds: readonly string[];
  readonly isError: boolean;
}

export interface ReceivedSeries {
  readonly service: string;
  readonly name: string;
  readonly unit: string;
  readonly attributes: ReceivedAttributes;
  /** The sum of a histogram; otherwise the value. */
  readonly value: number;
  /** Only of a histogram. */
  readonly count?: number;
}

const KINDS = ["internal", "internal", "server", "client", "producer", "consumer"] as const;
const ERROR = 2;
const NS_PER_MS = 1e6;

/** The spans of a POST to /v1/traces. Throws for any other body. */
export function decodeSpans(body: Uint8Array): ReceivedSpan[] {
  return fromBinary(ExportTraceRequestSchema, body).resourceSpans.flatMap((group) => {
    const service = serviceOf(group.resource?.attributes);
    return group.scopeSpans.flatMap(({ spans }) => spans.map((span) => received(service, span)));
  });
}

/** The series of a POST to /v1/metrics. Throws for any other body. */
export function decodeSeries(body: Uint8Array): ReceivedSeries[] {
  return fromBinary(ExportMetricsRequestSchema, body).resourceMetrics.flatMap((group) => {
    const service = serviceOf(group.resource?.attributes);
    return group.scopeMetrics.flatMap(({ metrics }) =>
      metrics.flatMap((metric) => seriesOf(service, metric)),
    );
  });
}

function received(service: string, span: Span): ReceivedSpan {
  return {
    service,
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentSpanId: hex(span.parentSpanId),
    name: span.name,
    kind: KINDS[span.kind] ?? "internal",
    startMs: Number(span.startTimeUnixNano) / NS_PER_MS,
    durationMs: Number(span.endTimeUnixNano - span.startTimeUnixNano) / NS_PER_MS,
    attributes: attributesOf(span.attributes),
    events: span.events.map(({ name, timeUnixNano, attributes }) => ({
      name,
      atMs: Number(timeUnixNano) / NS_PER_MS,
      attributes: attributesOf(attributes),
    })),
    linkedTraceIds: span.links.map(({ traceId }) => hex(traceId)),
    isError: span.status?.code === ERROR,
  };
}

function seriesOf(service: string, { name, unit, data }: Metric): ReceivedSeries[] {
  if (data.case === undefined) return [];
  if (data.case === "histogram") {
    return data.value.dataPoints.map(({ attributes, count, sum = 0 }) => {
      const common = { service, name, unit, attributes: attributesOf(attributes) };
      return { ...common, value: sum, count: Number(count) };
    });
  }
  return data.value.dataPoints.map(({ attributes, value }) => ({
    ...{ service, name, unit, attributes: attributesOf(attributes) },
    value: Number(value.value ?? 0),
  }));
}

function serviceOf(attributes: readonly KeyValue[] | undefined): string {
  return String(attributesOf(attributes ?? [])["service.name"] ?? "unknown");
}

function attributesOf(pairs: readonly KeyValue[]): ReceivedAttributes {
  return Object.fromEntries(
    pairs.map(({ key, value }): [string, AttributeValue] => {
      const plain = value?.value.value;
      return [key, typeof plain === "bigint" ? Number(plain) : plain];
    }),
  );
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
