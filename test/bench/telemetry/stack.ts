import { join } from "node:path";

import { loadSecrets } from "@nutrition/local/secrets";
import { SERVICE_NAMES } from "@nutrition/local/services";
import { OPERATOR } from "@nutrition/local/topology";

import { createDatabases } from "../edge/databases.ts";
import { startEnvironment } from "../edge/environment.ts";
import { DATES } from "../edge/journal-data.ts";
import { startServices } from "../edge/services.ts";
import { LoadGenerator } from "../load.ts";
import type { MeasuredSystem } from "../measured-system.ts";
import { COLLECTS_GARBAGE, collectGarbage, residentBytes } from "../memory.ts";
import type { BenchOptions } from "../options.ts";
import { measureInTurns, medianRound } from "../rounds.ts";

const PATHS = DATES.map((date) => `/api/v1/nutrition/summary?date=${date}`);

const COLLECTED_WITHIN_MS = 2_000;
const MIB = 2 ** 20;

export interface MeasuredStack {
  telemetry: string;
  /** CPU time per request in microseconds, of all processes. */
  micros: number;
  /** Resident memory of each service without garbage, in MiB. */
  memory: Record<string, number>;
}

/** Real reads through all services: one stack without telemetry and one with, in turns. */
export async function measureStacks(
  collectorUrl: string,
  { connections, seconds, rounds }: BenchOptions,
  stop: AbortSignal,
): Promise<MeasuredStack[]> {
  await using environment = await startEnvironment();
  const secretsFile = join(environment.folder, "secrets.json");
  const secrets = await loadSecrets(secretsFile, [...SERVICE_NAMES, OPERATOR]);
  const apiKeys = await createDatabases(environment, secrets);
  const common = { environment, secrets, profile: undefined, nodeFlags: COLLECTS_GARBAGE };
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl, OPERATIONS_PORT: "0" };
  await using off = await startServices(common, stop);
  await using on = await startServices({ ...common, settings }, stop);
  using generator = new LoadGenerator();
  const load = { apiKeys, paths: PATHS, connections, durationMs: seconds * 1_000 };
  const systems = [off, on];
  // The first round of each is a warm-up.
  const measured = await measureInTurns(systems, stop, { generator, load, rounds: rounds + 1 });
  const memory = await Promise.all(systems.map(memoryOf));
  return measured.map((own, index) => ({
    telemetry: ["off", "metrics, 10 % traced"][index] as string,
    micros: medianRound(own.slice(1)).totalMicros,
    memory: memory[index] ?? {},
  }));
}

async function memoryOf({ processes }: MeasuredSystem): Promise<Record<string, number>> {
  const services = Object.entries(processes).filter(([name]) => name !== "postgres");
  const pids = services.map(([, pid]) => pid);
  await collectGarbage(pids, COLLECTED_WITHIN_MS);
  return Object.fromEntries(
    services.map(([name, pid]) => [name, Math.round(residentBytes(pid) / MIB)]),
  );
}
