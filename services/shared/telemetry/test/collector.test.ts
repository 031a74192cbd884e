import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { silentLogger } from "@nutrition/core/logger";
import { describe, expect, it } from "vitest";

import { recording } from "../src/metrics/instruments.ts";
import { sdkSpansProcessed } from "../src/metrics/standard.ts";
import type { OtlpReceiverOptions } from "../src/otlp/receiver.ts";
import { startOtlpReceiver } from "../src/otlp/receiver.ts";
import type { TelemetryOptions } from "../src/start-telemetry.ts";
import { startTelemetry } from "../src/start-telemetry.ts";
import { EdgeRequest } from "../src/tracing/edge.ts";
import { activeTraceparent, currentTracing } from "../src/tracing/tracer.ts";
import { configOf } from "../src/testing.ts";

const SPANS = 200;
const MIB = 2 ** 20;

function answerRequest(): void {
  const edge = new EdgeRequest({ method: "GET", requestClass: "read", traceparent: undefined });
  edge.end({ route: "/test/collector", status: 200 });
}

function lostSpans(): number {
  return sdkSpansProcessed.series
    .filter(({ attributes }) => attributes["error.type"] !== "")
    .reduce((sum, { value }) => sum + value, 0);
}

function settingsFor(endpoint: string, warnings: string[]): TelemetryOptions {
  return {
    service: "edge",
    version: "1",
    isScraped: false,
    logger: { ...silentLogger, warn: (_, message) => void warnings.push(message) },
    config: configOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_TIMEOUT: "50",
      OTEL_TRACES_SAMPLER: "parentbased_always_on",
      OTEL_BSP_MAX_QUEUE_SIZE: "20",
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "10",
    }),
  };
}

/** Handles this many requests, some of them in each turn of the event loop. */
async function answerRequests(count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    answerRequest();
    if (number % 50 === 0) await turnOfTheLoop();
  }
}

/** Bytes still used after a full garbage collection. */
function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

/**
 * Handles many requests while the collector is unhealthy; resolves when the telemetry has ended.
 */
async function lostWith(endpoint: string, warnings: string[]): Promise<number> {
  const before = lostSpans();
  const telemetry = await startTelemetry(settingsFor(endpoint, warnings));
  for (let number = 0; number < SPANS; number += 1) answerRequest();
  await telemetry[Symbol.asyncDispose]();
  return lostSpans() - before;
}

describe("a collector that", () => {
  it.each<[string, OtlpReceiverOptions["answer"]]>([
    ["never answers", () => {}],
    ["is overloaded", (_, response) => void response.writeHead(503).end()],
    ["refuses", (_, response) => void response.writeHead(400).end()],
    ["hangs up", (request) => void request.socket.destroy()],
  ])("%s loses spans, which are counted and logged once, and nothing else", async (_, answer) => {
    await using receiver = await startOtlpReceiver(answer ? { answer } : {});
    const warnings: string[] = [];
    expect(await lostWith(receiver.url, warnings)).toBe(SPANS);
    expect(warnings).toHaveLength(1);
  });

  it("is unavailable loses spans, which are counted and logged once, and nothing else", async () => {
    const warnings: string[] = [];
    expect(await lostWith("http://127.0.0.1:1", warnings)).toBe(SPANS);
    expect(warnings).toHaveLength(1);
  });
});

describe("requests while a collector", () => {
  it.each<[string, NonNullable<OtlpReceiverOptions["answer"]>]>([
    ["never answers", () => {}],
    ["is slow", (_, response) => void setTimeout(() => response.writeHead(200).end(), 40)],
    ["is full", (_, response) => void response.writeHead(429, { "retry-after": "60" }).end()],
  ])("%s end without waiting for it, and leave nothing in memory", async (_name, answer) => {
    let exports = 0;
    const counting: typeof answer = (request, response) => {
      exports += 1;
      answer(request, response);
    };
    await using receiver = await startOtlpReceiver({ answer: counting });
    await using _ = await startTelemetry(settingsFor(receiver.url, []));
    await answerRequests(2_000);
    const before = heapInUse();
    await answerRequests(40_000);
    expect(exports).toBeGreaterThan(0);
    // A span takes more than a kilobyte, so keeping these would take over 40 MB.
    expect(heapInUse() - before).toBeLessThan(4 * MIB);
  });
});

it("starts nothing when nothing is configured", async () => {
  await using telemetry = await startTelemetry({
    service: "edge",
    version: "1",
    logger: silentLogger,
    config: configOf({}),
    isScraped: false,
  });
  expect(telemetry.metrics).toBeUndefined();
  expect(recording.isOn).toBe(false);
  expect(currentTracing()).toBeUndefined();
  const edge = new EdgeRequest({ method: "GET", requestClass: "read", traceparent: undefined });
  expect(edge.run(activeTraceparent)).toBeUndefined();
});

it("listens for no signals", async () => {
  const listeners = () => process.eventNames().map((name) => [name, process.listenerCount(name)]);
  const before = listeners();
  await using receiver = await startOtlpReceiver();
  await using _ = await startTelemetry({
    service: "edge",
    version: "1",
    logger: silentLogger,
    config: configOf({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }),
    isScraped: true,
  });
  expect(listeners()).toEqual(before);
});
