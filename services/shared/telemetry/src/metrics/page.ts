import type { MetricAttributes } from "./instruments.ts";
import { OPEN_METRICS_TYPE, writeOpenMetrics } from "./open-metrics.ts";
import { allInstruments } from "./registry.ts";

/** All metrics of this process in the format that Prometheus reads. */
export interface MetricsPage {
  readonly contentType: string;
  /** Current values. */
  write(): string;
}

export function metricsPage(resource: MetricAttributes): MetricsPage {
  return {
    contentType: OPEN_METRICS_TYPE,
    write: () => writeOpenMetrics(allInstruments(), resource),
  };
}
