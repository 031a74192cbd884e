import type { ServiceName, Wiring } from "./services.ts";
import { viewerUrl } from "./viewer.ts";

/** In the order of their ports for Prometheus, as in deploy/observability/prometheus. */
export const MEASURED: readonly ServiceName[] = [
  "gateway",
  "web",
  "auth",
  "journal",
  "limits",
  "analysis",
];

/** Whom a service tells what it measures. */
export function telemetryOf(
  name: ServiceName,
  { config, viewerPort }: Pick<Wiring, "config" | "viewerPort">,
): Record<string, string> {
  const first = Number(config.environment["OPERATIONS_PORT"] || Number.NaN);
  const index = MEASURED.indexOf(name);
  const hasPort = !Number.isNaN(first) && index >= 0;
  return {
    // Each service has a port of its own; OPERATIONS_PORT is the first, or 0 for any free ones.
    ...(hasPort ? { OPERATIONS_PORT: String(first === 0 ? 0 : first + index) } : {}),
    ...(viewerPort === undefined ? {} : observedBy(viewerPort)),
  };
}

/** Settings with which a service tells the viewer of every request, within a second. */
function observedBy(port: number): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: viewerUrl(port),
    OTEL_TRACES_SAMPLER: "parentbased_always_on",
    OTEL_BSP_SCHEDULE_DELAY: "500",
    OTEL_METRIC_EXPORT_INTERVAL: "2000",
  };
}
