import type { Gauge, Histogram, Sum } from "@nutrition/telemetry/metrics/instruments";
import { familyName, sampleNames } from "@nutrition/telemetry/metrics/open-metrics";

/** Grafana's variable for a range that suits the resolution of a panel. */
export const PANEL_RANGE = "$__rate_interval";

/** The name under which Prometheus stores a counter or gauge. */
export function nameOf(instrument: Sum | Gauge): string {
  return sampleNames(instrument)[0] as string;
}

export function bucketOf(histogram: Histogram): string {
  return `${familyName(histogram)}_bucket`;
}

export function countOf(histogram: Histogram): string {
  return `${familyName(histogram)}_count`;
}

export function sumOf(histogram: Histogram): string {
  return `${familyName(histogram)}_sum`;
}

/** Events per second, summed over the labels that `by` does not name. */
export function ratePer(selector: string, by: readonly string[], range = PANEL_RANGE): string {
  return `sum${grouping(by)} (rate(${selector}[${range}]))`;
}

/** A quantile of a histogram, by the labels that `by` names. */
export function quantileOf(
  quantile: number,
  { histogram, labels = "" }: { histogram: Histogram; labels?: string },
  by: readonly string[] = [],
): string {
  const rate = ratePer(`${bucketOf(histogram)}{${labels}}`, ["le", ...by]);
  return `histogram_quantile(${quantile}, ${rate})`;
}

/** A duration in Prometheus notation; at least one millisecond. */
export function promDuration(seconds: number): string {
  const units = [
    ["d", 86_400_000],
    ["h", 3_600_000],
    ["m", 60_000],
    ["s", 1_000],
  ] as const;
  const ms = Math.max(1, Math.round(seconds * 1_000));
  for (const [unit, size] of units) if (ms % size === 0) return `${ms / size}${unit}`;
  return `${ms}ms`;
}

function grouping(by: readonly string[]): string {
  return by.length === 0 ? "" : ` by (${by.join(", ")})`;
}
