import { silentLogger } from "@nutrition/core/logger";

import type { TelemetryConfig } from "./config.ts";
import { telemetryEnvironment } from "./config.ts";
import type { Gauge, MetricAttributes, Sum } from "./metrics/instruments.ts";
import { recording } from "./metrics/instruments.ts";
import type { OtlpReceiver } from "./otlp/receiver.ts";
import { startOtlpReceiver } from "./otlp/receiver.ts";
import type { Telemetry } from "./start-telemetry.ts";
import { startTelemetry } from "./start-telemetry.ts";

export interface Observed extends AsyncDisposable {
  receiver: OtlpReceiver;
  telemetry: Telemetry;
  /** Ends the telemetry, so that everything has arrived. */
  flush(): Promise<void>;
}

export function configOf(environment: Record<string, string>): TelemetryConfig {
  return telemetryEnvironment.parse(environment);
}

/** Telemetry of a service named `edge` with a receiver; all requests are traced by default. */
export async function observe(environment: Record<string, string> = {}): Promise<Observed> {
  const receiver = await startOtlpReceiver();
  const telemetry = await startTelemetry({
    service: "edge",
    version: "1.2.3",
    logger: silentLogger,
    isScraped: true,
    config: configOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER: "parentbased_always_on",
      ...environment,
    }),
  });
  let flushed: Promise<void> | undefined;
  const flush = () => (flushed ??= Promise.resolve(telemetry[Symbol.asyncDispose]()));
  return {
    receiver,
    telemetry,
    flush,
    async [Symbol.asyncDispose]() {
      await flush();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

/** Enables recording of metrics until disposed. */
export function recordMetrics(): Disposable {
  recording.isOn = true;
  return { [Symbol.dispose]: () => void (recording.isOn = false) };
}

/**
 * Current value of a counter's or gauge's series with these attributes; undefined when there is
 * none.
 */
export function valueNow(
  instrument: Sum | Gauge,
  attributes: MetricAttributes = {},
): number | undefined {
  const expected = Object.entries(attributes);
  return instrument.series.find((series) =>
    expected.every(([name, value]) => series.attributes[name] === value),
  )?.value;
}
