import type {
  BucketExemplar,
  HistogramSeries,
  Instrument,
  MetricAttributes,
} from "./instruments.ts";
import { Histogram, Sum } from "./instruments.ts";

/** Content type for Prometheus (OpenMetrics 1.0). */
export const OPEN_METRICS_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** UCUM units as OpenTelemetry's compatibility specification writes them in names. */
const UNIT_SUFFIX: Readonly<Record<string, string>> = { s: "_seconds", By: "_bytes", 1: "_ratio" };

/** The metric family's name in Prometheus, without `_total` or `_bucket`. */
export function familyName(instrument: Instrument): string {
  const { name, unit } = instrument.definition;
  return name.replaceAll(/[^a-zA-Z0-9_:]/g, "_") + (UNIT_SUFFIX[unit] ?? "");
}

/** The names under which Prometheus stores a metric's samples. */
export function sampleNames(instrument: Instrument): string[] {
  const family = familyName(instrument);
  if (instrument instanceof Histogram) {
    return ["_bucket", "_count", "_sum"].map((suffix) => family + suffix);
  }
  return [instrument instanceof Sum && instrument.isMonotonic ? `${family}_total` : family];
}

/**
 * The metrics as OpenMetrics text, with exemplars, and the resource as `target_info`. The SDK's own
 * Prometheus exporter writes the older format, which has no exemplars.
 */
export function writeOpenMetrics(
  instruments: readonly Instrument[],
  resource: MetricAttributes,
): string {
  const lines = ["# TYPE target info", `target_info${labels(resource)} 1`];
  for (const instrument of instruments) {
    if (instrument.series.length > 0) lines.push(...family(instrument));
  }
  return `${lines.join("\n")}\n# EOF\n`;
}

function family(instrument: Instrument): string[] {
  const name = familyName(instrument);
  const head = [`# TYPE ${name} ${typeOf(instrument)}`];
  head.push(`# HELP ${name} ${instrument.definition.description}`);
  if (instrument instanceof Histogram) {
    const { bounds } = instrument.definition;
    return [...head, ...instrument.series.flatMap((series) => buckets(name, series, bounds))];
  }
  const [sample] = sampleNames(instrument);
  return [
    ...head,
    ...instrument.series.map(({ attributes, value }) => `${sample}${labels(attributes)} ${value}`),
  ];
}

function typeOf(instrument: Instrument): string {
  if (instrument instanceof Histogram) return "histogram";
  return instrument instanceof Sum && instrument.isMonotonic ? "counter" : "gauge";
}

function buckets(name: string, series: HistogramSeries, bounds: readonly number[]): string[] {
  const { attributes, counts, count, sum, exemplars } = series;
  let below = 0;
  const lines = [...bounds, Number.POSITIVE_INFINITY].map((bound, index) => {
    below += counts[index] as number;
    const le = canonical(bound);
    return `${name}_bucket${labels({ ...attributes, le })} ${below}${exemplarOf(exemplars[index])}`;
  });
  const ownLabels = labels(attributes);
  return [...lines, `${name}_sum${ownLabels} ${sum}`, `${name}_count${ownLabels} ${count}`];
}

/** OpenMetrics' form of a bound, the same in every version of Prometheus. */
function canonical(bound: number): string {
  if (!Number.isFinite(bound)) return "+Inf";
  return Number.isInteger(bound) ? bound.toFixed(1) : String(bound);
}

function exemplarOf(exemplar: BucketExemplar | undefined): string {
  if (!exemplar) return "";
  const { traceId, spanId, value, atMs } = exemplar;
  return ` # {trace_id="${traceId}",span_id="${spanId}"} ${value} ${atMs / 1_000}`;
}

function labels(attributes: MetricAttributes): string {
  const pairs = Object.entries(attributes).map(
    ([name, value]) => `${name.replaceAll(/[^a-zA-Z0-9_]/g, "_")}="${escaped(value)}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
