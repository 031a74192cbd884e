import { MEASURED_SERVICES } from "@nutrition/local/telemetry";
import type { OtlpReceiverOptions } from "@nutrition/telemetry/otlp/receiver";
import { startOtlpReceiver } from "@nutrition/telemetry/otlp/receiver";
import { expect, it } from "vitest";

import { LaunchedProcesses } from "./launched-processes.ts";
import { connectAssistant } from "./assistants.ts";
import { System } from "./system.ts";

/** The chart's time for a service after SIGTERM (`terminationGraceSeconds`). */
const GRACE_MS = 45_000;
/** Nothing is sent before the services stop. */
const NEVER_MS = "3600000";

/** Runs everything with this collector, uses every service, and stops them all. */
async function run(options: OtlpReceiverOptions) {
  const receiver = await startOtlpReceiver(options);
  await using system = await System.start({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_TRACES_SAMPLER: "parentbased_always_on",
    OTEL_BSP_SCHEDULE_DELAY: NEVER_MS,
    OTEL_METRIC_EXPORT_INTERVAL: NEVER_MS,
  });
  const { api_key: key } = await system.demo();
  {
    await using assistant = await connectAssistant(system.baseUrl, key);
    const logged = await assistant.call("log_food", { food_text: "100 g apples" });
    expect(logged.isError).toBe(false);
  }
  expect((await system.get("/sign-in")).status).toBe(200);
  const processes = new LaunchedProcesses(system.dataFolder);
  const took = await Promise.all(MEASURED_SERVICES.map((name) => processes.endService(name)));
  return {
    receiver,
    slowestMs: Math.max(...took),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

it("SIGTERM ends every service within its grace period, and its last spans and metrics arrive", async () => {
  await using ended = await run({});
  expect(ended.slowestMs).toBeLessThan(GRACE_MS);
  const { spans, series } = ended.receiver;
  const servicesOf = (all: readonly { service: string }[]) =>
    [...new Set(all.map(({ service }) => service))].sort();
  expect(servicesOf(spans)).toEqual(expect.arrayContaining([...MEASURED_SERVICES]));
  expect(servicesOf(series)).toEqual(expect.arrayContaining([...MEASURED_SERVICES]));
  const { traceId } = spans.findLast(({ name }) => name === "tools/call log_food") ?? {};
  const services = servicesOf(spans.filter((span) => span.traceId === traceId));
  expect(services).toEqual(["analysis", "auth", "gateway", "journal", "limits"]);
}, 120_000);

it("a collector that never answers does not delay a service's end beyond its grace period", async () => {
  await using ended = await run({ answer: () => {} });
  expect(ended.slowestMs).toBeLessThan(GRACE_MS);
}, 120_000);
