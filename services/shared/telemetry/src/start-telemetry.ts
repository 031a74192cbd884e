import { newId } from "@nutrition/core/ids";
import type { Logger } from "@nutrition/core/logger";

import type { TelemetryConfig } from "./config.ts";
import { metricsUrl, samplingRatio, tracesUrl } from "./config.ts";
import { recording } from "./metrics/instruments.ts";
import type { MetricsPage } from "./metrics/page.ts";
import { metricsPage } from "./metrics/page.ts";
import { measureProcess } from "./metrics/process.ts";
import { setTracing } from "./tracing/tracer.ts";

export interface TelemetryOptions {
  /** Name of the service, such as `journal`. */
  service: string;
  version: string;
  config: TelemetryConfig;
  /** Whether anybody reads the metrics page. */
  isScraped: boolean;
  logger: Logger;
}

export interface Telemetry extends AsyncDisposable {
  /** The metrics page for Prometheus; undefined when it is disabled. */
  readonly metrics: MetricsPage | undefined;
}

/** Maximum time for flushing when a service stops. */
const FLUSH_MAX_MS = 5_000;

/**
 * Starts tracing and measuring this process, as configured. Disposing sends what is buffered, for
 * at most 5 s. At most one may be active.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { config, logger, isScraped } = options;
  const traces = tracesUrl(config);
  const metrics = metricsUrl(config);
  const isOff = traces === undefined && metrics === undefined && !isScraped;
  if (config.OTEL_SDK_DISABLED || isOff) return OFF;

  await using stack = new AsyncDisposableStack();
  const identity = {
    "service.name": options.service,
    "service.namespace": "nutrition",
    "service.version": options.version,
    "service.instance.id": newId(),
  };
  if (metrics !== undefined || isScraped) {
    recording.isOn = true;
    stack.defer(() => void (recording.isOn = false));
    stack.use(measureProcess());
  }
  if (traces !== undefined || metrics !== undefined) {
    // Loaded only when used: it takes memory and time.
    const { startExport } = await import("./otlp/export.ts");
    const exporting = startExport({ identity, config, logger, traces, metrics });
    stack.defer(() => within(FLUSH_MAX_MS, exporting.shutDown()));
    if (exporting.tracer) {
      const ratio = samplingRatio(config);
      setTracing({ tracer: exporting.tracer, ratio, slowMs: config.TRACE_SLOW_MS });
      stack.defer(() => setTracing(undefined));
    }
  }
  const running = stack.move();
  return {
    metrics: isScraped ? metricsPage(identity) : undefined,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

const OFF: Telemetry = { metrics: undefined, [Symbol.asyncDispose]: async () => {} };

async function within(limitMs: number, work: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  await Promise.race([work, late]);
  clearTimeout(timer);
}
