import { silentLogger } from "@nutrition/core/logger";
import type { ReceivedSpan } from "@nutrition/telemetry/otlp/received";
import { startOtlpReceiver } from "@nutrition/telemetry/otlp/receiver";
import { startTelemetry } from "@nutrition/telemetry/start-telemetry";
import { configOf } from "@nutrition/telemetry/testing";
import { EdgeRequest } from "@nutrition/telemetry/tracing/edge";
import { describe, expect, it } from "vitest";

import { connectAssistant } from "../e2e/assistants.ts";
import { System } from "../e2e/system.ts";
import { isWithoutCollector, startCollector, validate } from "./collector-program.ts";

const ARRIVAL = { timeout: 20_000, interval: 200 };

describe.skipIf(isWithoutCollector())("the collector's configuration", () => {
  it("is valid", () => {
    const { ok, output } = validate();
    expect(output).toBe("");
    expect(ok).toBe(true);
  });

  it("forwards the traces and exposes the metrics of the whole system", async () => {
    await using backend = await startOtlpReceiver();
    await using collector = await startCollector(backend.url);
    await using system = await System.start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: "parentbased_always_on",
      OTEL_BSP_SCHEDULE_DELAY: "200",
      OTEL_METRIC_EXPORT_INTERVAL: "1000",
    });
    const { api_key: key } = await system.demo();
    await using assistant = await connectAssistant(system.baseUrl, key);
    const logged = await assistant.call("log_food", { food_text: "100 g apples" });
    expect(logged.isError).toBe(false);
    const through = () => servicesOf(backend.spans, "tools/call log_food");
    await expect
      .poll(through, ARRIVAL)
      .toEqual(["analysis", "auth", "gateway", "journal", "limits"]);
    for (const metric of [
      'mcp_server_operation_duration_seconds_count{error_type="",gen_ai_tool_name="log_food",',
      "nutrition_journal_writes_total{",
      "nutrition_outbox_age_seconds{",
    ]) {
      await expect.poll(() => collector.metrics(), ARRIVAL).toContain(metric);
    }
    expect(collector.log()).not.toMatch(/\t(error|warn)\t/);
  }, 120_000);

  it("redacts anything that looks like a key, a token or an address, in case a service records one", async () => {
    await using backend = await startOtlpReceiver();
    await using collector = await startCollector(backend.url);
    const planted = {
      "planted.key": `service_live_${"a".repeat(16)}_${"b".repeat(49)}`,
      "planted.signed_key": `service_live_${"a".repeat(16)}_${"b".repeat(104)}`,
      "planted.token": "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl",
      "planted.address": "it was ada@example.com",
    };
    const telemetry = await startTelemetry({
      ...{ service: "edge", version: "1.2.3", logger: silentLogger, isScraped: false },
      config: configOf({
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_TRACES_SAMPLER: "parentbased_always_on",
      }),
    });
    const edge = new EdgeRequest({ method: "GET", requestClass: "other", traceparent: undefined });
    edge.end({ route: "/here", status: 200, attributes: { ...planted, "not.planted": "kept" } });
    await telemetry[Symbol.asyncDispose]();
    await expect.poll(() => backend.spans.length, ARRIVAL).toBe(1);
    const { attributes } = backend.spans[0] as ReceivedSpan;
    expect(attributes).toMatchObject({
      ...{ "planted.key": "****", "planted.signed_key": "****", "planted.token": "****" },
      ...{ "planted.address": "it was ****", "not.planted": "kept" },
    });
  }, 60_000);
});

/** The services in the trace that contains this span. */
function servicesOf(spans: readonly ReceivedSpan[], name: string): string[] {
  const traceId = spans.find((span) => span.name === name)?.traceId;
  const trace = spans.filter((span) => span.traceId === traceId);
  return [...new Set(trace.map(({ service }) => service))].sort();
}
