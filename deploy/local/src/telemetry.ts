import type { Wiring } from "./wiring.ts";
import type { ServiceName } from "./topology.ts";
import { viewerUrl } from "./viewer.ts";

/** In the order of their metrics ports, as in deploy/observability/prometheus. */
export const MEASURED_SERVICES: readonly ServiceName[] = [
  "gateway",
  "web",
  "auth",
  "journal",
  "limits",
  "analysis",
];

/** Settings for where a service reports metrics and spans. */
export function telemetryOf(
  name: ServiceName,
  { config, viewerPort }: Pick<Wiring, "config" | "viewerPort">,
): Record<string, string> {
  const first = Number(config.environment["OPERATIONS_PORT"] || Number.NaN);
  const index = MEASURED_SERVICES.indexOf(name);
  const hasPort = !Number.isNaN(first) && index >= 0;
  return {
    // Each service has its own port: OPERATIONS_PORT is the first, or 0 for any free ones.
    ...(hasPort ? { OPERATIONS_PORT: String(first === 0 ? 0 : first + index) } : {}),
    ...(viewerPort === undefined ? {} : observedBy(viewerPort)),
  };
}

/** Settings with which a service reports every request to the viewer, within a second. */
function observedBy(port: number): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: viewerUrl(port),
    OTEL_TRACES_SAMPLER: "parentbased_always_on",
    OTEL_BSP_SCHEDULE_DELAY: "500",
    OTEL_METRIC_EXPORT_INTERVAL: "2000",
  };
}
