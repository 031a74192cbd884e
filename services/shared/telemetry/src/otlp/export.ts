import type { Attributes, MeterProvider, Tracer } from "@opentelemetry/api";
import { context, createNoopMeter } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { setGlobalErrorHandler } from "@opentelemetry/core";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import type { Resource } from "@opentelemetry/resources";
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Logger } from "@nutrition/core/logger";
import { moduleLogger } from "@nutrition/core/logger";

import type { TelemetryConfig } from "../config.ts";
import { metricProducer } from "../metrics/producer.ts";
import { allInstruments } from "../metrics/registry.ts";
import { sdkSpansProcessed } from "../metrics/standard.ts";

export interface ExportOptions {
  identity: Attributes;
  config: TelemetryConfig;
  logger: Logger;
  /** Address for spans; undefined for none. */
  traces: string | undefined;
  /** Address for pushed metrics; undefined for none. */
  metrics: string | undefined;
}

export interface Exporting {
  /** Undefined when no spans are sent. */
  readonly tracer: Tracer | undefined;
  /** Sends what is buffered. Never rejects. */
  shutDown(): Promise<void>;
}

const LOG_FAILURES_EVERY_MS = 60_000;

/** Sends spans and metrics by OTLP, protobuf over HTTP, in the background. */
export function startExport(options: ExportOptions): Exporting {
  const { identity, config, traces, metrics } = options;
  logFailures(options.logger);
  const detected = detectResources({ detectors: [resourceAttributesEnvDetector] });
  const resource = resourceFromAttributes(identity).merge(detected);
  const spans = traces === undefined ? undefined : startSpans(traces, resource, config);
  const reader = metrics === undefined ? undefined : startReader(metrics, resource, config);
  return {
    tracer: spans?.getTracer("@nutrition/telemetry"),
    async shutDown() {
      // Spans first, because the number of lost spans is a metric.
      await spans?.shutdown().catch(() => {});
      await reader?.shutdown().catch(() => {});
      if (spans) context.disable();
    },
  };
}

function startSpans(url: string, resource: Resource, config: TelemetryConfig): TracerProvider {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  const timeoutMillis = config.OTEL_EXPORTER_OTLP_TIMEOUT;
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ url, timeoutMillis }),
    maxQueueSize: config.OTEL_BSP_MAX_QUEUE_SIZE,
    maxExportBatchSize: config.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
    scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
    exportTimeoutMillis: timeoutMillis * 2,
    selfObsMeterProvider: countedSpans,
  });
  // Spans are started only for sampled requests, so all are exported.
  const sampler = new AlwaysOnSampler();
  return new TracerProvider({ resource, sampler, spanProcessors: [processor] });
}

function startReader(url: string, resource: Resource, config: TelemetryConfig) {
  const interval = config.OTEL_METRIC_EXPORT_INTERVAL;
  const timeoutMillis = Math.min(config.OTEL_EXPORTER_OTLP_TIMEOUT, interval);
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url, timeoutMillis }),
    exportIntervalMillis: interval,
    exportTimeoutMillis: timeoutMillis,
  });
  reader.setMetricProducer(metricProducer(allInstruments(), resource));
  return reader;
}

const PROCESSED = sdkSpansProcessed.definition.name;

/** Reads from the SDK's own metrics how many spans it sent and how many it lost. */
const countedSpans: MeterProvider = {
  getMeter: () => {
    const meter = createNoopMeter();
    const createCounter: typeof meter.createCounter = (name) => ({
      add: (amount, attributes: Attributes = {}) => {
        if (name !== PROCESSED) return;
        sdkSpansProcessed.add(amount, { "error.type": String(attributes["error.type"] ?? "") });
      },
    });
    return Object.assign(meter, { createCounter });
  },
};

/** An unavailable collector is logged once a minute, not for each batch. */
function logFailures(logger: Logger): void {
  const log = moduleLogger(logger, "telemetry");
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((error) => {
    if (performance.now() - loggedAtMs < LOG_FAILURES_EVERY_MS) return;
    loggedAtMs = performance.now();
    log.warn({ err: error }, "cannot send telemetry; it is dropped until the collector is back");
  });
}
