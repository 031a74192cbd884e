import { z } from "zod";

const count = z.coerce.number().int().min(1);
const milliseconds = z.coerce.number().int().min(1);
const exporter = z.enum(["otlp", "none"]).default("otlp");

/**
 * The standard OpenTelemetry variables that this code reads itself. The exporters read those for
 * headers, certificates, compression and timeouts. Telemetry is off when there is neither an
 * endpoint nor a metrics page. `OTEL_SERVICE_NAME` is not read: each service has its own name.
 */
export const telemetryEnvironment = z.object({
  OTEL_SDK_DISABLED: z.stringbool().default(false),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url().optional(),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: z.url().optional(),
  /** Also bounds how long an unresponsive collector can delay the exit of a process. */
  OTEL_EXPORTER_OTLP_TIMEOUT: milliseconds.default(2_000),
  OTEL_TRACES_EXPORTER: exporter,
  OTEL_METRICS_EXPORTER: exporter,
  OTEL_TRACES_SAMPLER: z
    .enum(["parentbased_traceidratio", "parentbased_always_on", "parentbased_always_off"])
    .default("parentbased_traceidratio"),
  /** Share of requests that are traced; decided at the edge. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(0.1),
  /** Maximum number of spans waiting to be sent; further ones are dropped and counted. */
  OTEL_BSP_MAX_QUEUE_SIZE: count.default(2_048),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: count.default(512),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds.default(5_000),
  OTEL_METRIC_EXPORT_INTERVAL: milliseconds.default(60_000),
  /** A request that takes longer leaves a span even if it was not sampled. */
  TRACE_SLOW_MS: milliseconds.default(1_000),
});

export type TelemetryConfig = z.infer<typeof telemetryEnvironment>;

/** Address for spans; undefined to send none. */
export function tracesUrl(config: TelemetryConfig): string | undefined {
  if (config.OTEL_TRACES_EXPORTER === "none") return undefined;
  return config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? below(config, "v1/traces");
}

/** Address for pushed metrics; undefined to push none. */
export function metricsUrl(config: TelemetryConfig): string | undefined {
  if (config.OTEL_METRICS_EXPORTER === "none") return undefined;
  return config.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? below(config, "v1/metrics");
}

/** Share of requests to trace, 0 to 1. */
export function samplingRatio(config: TelemetryConfig): number {
  switch (config.OTEL_TRACES_SAMPLER) {
    case "parentbased_always_on":
      return 1;
    case "parentbased_always_off":
      return 0;
    case "parentbased_traceidratio":
      return config.OTEL_TRACES_SAMPLER_ARG;
  }
}

function below({ OTEL_EXPORTER_OTLP_ENDPOINT: base }: TelemetryConfig, path: string) {
  return base === undefined ? undefined : `${base.replace(/\/$/, "")}/${path}`;
}
