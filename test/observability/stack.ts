import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findFreePortRange } from "@nutrition/local/ports";
import { MEASURED_SERVICES } from "@nutrition/local/telemetry";
import type { ServiceName } from "@nutrition/local/topology";
import type { ScrapedJob } from "@nutrition/observability/test/prometheus";
import { Database } from "@nutrition/postgres/database";
import { startOtlpReceiver } from "@nutrition/telemetry/otlp/receiver";

import { System } from "../e2e/system.ts";
import { LaunchedProcesses } from "../e2e/launched-processes.ts";
import type { StandInModel } from "./model.ts";
import { startModel } from "./model.ts";

/** Limits high enough for the load, except for bursts and repeated deletions. */
const POLICIES = JSON.stringify({
  policies: [
    { name: "key-10-seconds", counts: "api_key_requests", max: 200, window_seconds: 10 },
    { name: "mutations-hour", counts: "mutations", max: 10_000, window_seconds: 3_600 },
    { name: "delete-hour", counts: "mutations", kinds: ["delete"], max: 1, window_seconds: 3_600 },
    { name: "connector-hour", counts: "connector_requests", max: 240, window_seconds: 3_600 },
  ],
});

/** Daily budget of the model, in US dollars. */
export const DAILY_USD = 5;

/** Everything that `npm start` starts, with a port for Prometheus at each service and a model. */
export interface Stack extends AsyncDisposable {
  readonly system: System;
  readonly processes: LaunchedProcesses;
  readonly model: StandInModel;
  /** Prometheus scrape targets. */
  readonly jobs: readonly ScrapedJob[];
}

export async function startStack(): Promise<Stack> {
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "nutrition-observed-"));
  starting.defer(() => rm(folder, { recursive: true, force: true }));
  const policyFile = join(folder, "policies.json");
  await writeFile(policyFile, POLICIES);
  const receiver = starting.use(await startOtlpReceiver());
  const model = starting.use(await startModel());
  const firstPort = await findFreePortRange(MEASURED_SERVICES.length);
  const system = starting.use(
    await System.start({
      OPERATIONS_PORT: String(firstPort),
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER: "parentbased_always_on",
      OTEL_BSP_SCHEDULE_DELAY: "500",
      LIMITS_POLICY_FILE: policyFile,
      LIMITS_RESERVATION_HOLD_MS: "1000",
      ANALYSIS_MODEL_URL: model.url,
      ANALYSIS_MODEL: "stand-in",
      ANALYSIS_MODEL_INPUT_USD: "1",
      ANALYSIS_MODEL_OUTPUT_USD: "1",
      ANALYSIS_MODEL_DAILY_USD: String(DAILY_USD),
    }),
  );
  const jobs = MEASURED_SERVICES.map((job, at) => ({
    job,
    address: `127.0.0.1:${firstPort + at}`,
  }));
  const processes = new LaunchedProcesses(system.dataFolder);
  const running = starting.move();
  return { system, processes, model, jobs, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** The database of a service, as the service itself reaches it. */
export async function databaseOf({ processes }: Stack, service: ServiceName): Promise<Database> {
  return new Database({ url: await processes.databaseUrl(service), schema: service });
}

/** Locks a table against writes, or also reads, depending on `mode`, until disposed. */
export async function lockTable(
  database: Database,
  table: string,
  mode: "access exclusive" | "exclusive",
): Promise<AsyncDisposable> {
  const held = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const holding = database.transaction(async (tx) => {
    await tx.query({ text: `lock table ${table} in ${mode} mode`, values: [] });
    held.resolve();
    await done.promise;
  });
  await Promise.race([held.promise, holding]);
  return {
    async [Symbol.asyncDispose]() {
      done.resolve();
      await holding;
    },
  };
}
