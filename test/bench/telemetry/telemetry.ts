import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { silentLogger } from "@nutrition/core/logger";
import { telemetryEnvironment } from "@nutrition/telemetry/config";
import { startTelemetry } from "@nutrition/telemetry/start-telemetry";
import { IncomingCalls, OutgoingCalls } from "@nutrition/telemetry/tracing/calls";
import { EdgeRequest } from "@nutrition/telemetry/tracing/edge";
import { runStatement } from "@nutrition/telemetry/tracing/statements";
import { activeTraceparent } from "@nutrition/telemetry/tracing/tracer";

import type { BenchOptions } from "../options.ts";
import { median } from "../statistics.ts";
import type { MeasuredStack } from "./stack.ts";
import { measureStacks } from "./stack.ts";

/** Maximum CPU time of telemetry per request in all processes, with metrics and 10 % of traces. */
const MICROS_MAX = 25;
const REQUESTS_AT_ONCE = 32;

type Contender = (typeof CONTENDERS)[number];
const CONTENDERS = ["off", "metrics", "metrics, 10 % traced", "metrics, all traced"] as const;

/**
 * The cost of telemetry for a read. First the instrumentation alone, around work that does nothing:
 * an edge request, three calls end to end, four statements. Then real reads through all services,
 * whose figures vary more than telemetry costs on a busy machine. The collector is another process.
 */
export async function runTelemetry(options: BenchOptions, stop: AbortSignal): Promise<boolean> {
  const collector = fork(join(import.meta.dirname, "collector.ts"));
  const micros = new Map<Contender, number[]>(CONTENDERS.map((name) => [name, []]));
  let stacks: MeasuredStack[] = [];
  try {
    const [url] = (await once(collector, "message", { signal: stop })) as [string];
    for (let round = 0; round <= options.rounds; round += 1) {
      for (const name of CONTENDERS) {
        const measured = await measure(name, url, options.seconds);
        stop.throwIfAborted();
        // The first round is a warm-up.
        if (round > 0) micros.get(name)?.push(measured);
      }
    }
    stacks = await measureStacks(url, options, stop);
  } finally {
    collector.disconnect();
  }
  return report(micros, stacks, options);
}

async function report(
  micros: ReadonlyMap<Contender, number[]>,
  stacks: readonly MeasuredStack[],
  options: BenchOptions,
): Promise<boolean> {
  const seams = [...micros].map(([telemetry, values]) => ({ telemetry, micros: median(values) }));
  const [off = 0, , on = 0] = seams.map((row) => row.micros);
  console.log("The instrumentation alone:");
  console.table(
    seams.map((row) => ({
      telemetry: row.telemetry,
      "CPU µs a request": row.micros.toFixed(1),
      "more than off": (row.micros - off).toFixed(1),
    })),
  );
  console.log("Reads through all services, with the memory of each in MiB:");
  console.table(
    stacks.map(({ telemetry, micros, memory }) => ({
      telemetry,
      "CPU µs a request": micros.toFixed(0),
      ...memory,
    })),
  );
  const more = on - off;
  console.log(
    `The instrumentation costs ${more.toFixed(1)} µs of CPU time per request; at most ${MICROS_MAX}.`,
  );
  if (options.json) await writeFile(options.json, JSON.stringify({ seams, stacks }, undefined, 2));
  return more <= MICROS_MAX;
}

function environmentOf(name: Contender, url: string): Record<string, string> {
  if (name === "off" || name === "metrics") return {};
  const ratio = name === "metrics, all traced" ? "1" : "0.1";
  return { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: ratio };
}

/** CPU time of this process per request, in microseconds. */
async function measure(name: Contender, url: string, seconds: number): Promise<number> {
  await using _ = await startTelemetry({
    service: "bench",
    version: "0",
    logger: silentLogger,
    config: telemetryEnvironment.parse(environmentOf(name, url)),
    isScraped: name !== "off",
  });
  const before = process.cpuUsage();
  const endsAtMs = performance.now() + seconds * 1_000;
  let requests = 0;
  while (performance.now() < endsAtMs) {
    await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, answerRead));
    requests += REQUESTS_AT_ONCE;
    // Returns to the event loop like a server, so that spans are sent.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requests;
}

const METHODS = ["auth.v1.Auth/Authenticate", "limits.v1.Limits/Count", "journal.v1.Journal/Get"];
const CALLS = METHODS.map((method) => ({
  outgoing: new OutgoingCalls(`/${method}`),
  incoming: new IncomingCalls(`/${method}`),
}));

async function answerRead(): Promise<void> {
  const edge = new EdgeRequest({ method: "GET", requestClass: "read", traceparent: undefined });
  await edge.run(async () => {
    for (const { outgoing, incoming } of CALLS) {
      await outgoing.run(() => incoming.run(activeTraceparent(), () => answerFrom(outgoing)));
    }
  });
  edge.end({ route: "/api/v1/nutrition/summary", status: 200 });
}

/** Four statements in all: two for limits, one for each of the others. */
async function answerFrom(called: OutgoingCalls): Promise<void> {
  await runStatement("postgresql", "select items", nothing);
  if (called === CALLS[1]?.outgoing) await runStatement("postgresql", "insert usage", nothing);
}

async function nothing(): Promise<void> {}
