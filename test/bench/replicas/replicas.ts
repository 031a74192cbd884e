import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { loadSecrets } from "@nutrition/local/secrets";
import { SERVICE_NAMES } from "@nutrition/local/services";
import { OPERATOR } from "@nutrition/local/topology";

import { REPLICATED, Replicas } from "./fleet.ts";
import type { Replicated } from "./fleet.ts";
import { familyCpuMicros } from "../cpu.ts";
import { startEnvironment } from "../edge/environment.ts";
import { LoadGenerator } from "../load.ts";
import type { LoadResult } from "../load.ts";
import type { BenchOptions } from "../options.ts";
import { createPeopleDatabase } from "../scale/databases.ts";

const DATABASE = "replicas";
const PEOPLE = 2_000;
const PATHS = ["/api/v1/nutrition/summary", "/api/v1/food-entries?limit=1"];
/** How far the CPU of an instance may be from an equal share. */
const SPREAD_MAX = 0.15;
/** Instances of services that take less have too little to do to compare them. */
const COMPARED_MICROS = 100_000;

/** CPU of each instance under load. */
interface Shares {
  replicas: number;
  requestsPerSecond: number;
  /** CPU microseconds by service, a figure for each instance. */
  micros: Record<string, number[]>;
}

/**
 * Measures how work spreads over two and three instances of each service on one machine. Resolves to
 * whether it does so evenly.
 */
export async function runReplicas(options: BenchOptions, stop: AbortSignal): Promise<boolean> {
  if (process.platform !== "linux") throw new Error("CPU time is read from /proc: use Linux.");
  await using environment = await startEnvironment();
  const secretsFile = join(environment.folder, "secrets.json");
  const secrets = await loadSecrets(secretsFile, [...SERVICE_NAMES, OPERATOR]);
  const wanted = { name: DATABASE, accounts: PEOPLE };
  const { people } = await createPeopleDatabase(environment, secrets, wanted);
  const apiKeys = people.map(({ apiKey }) => apiKey);
  const measured: Shares[] = [];
  for (const count of options.replicas) {
    const settings = { environment, secrets, profile: undefined, database: DATABASE };
    await using replicas = await Replicas.start(settings, count);
    await load(replicas, { apiKeys, options, stop });
    const before = cpuOf(replicas);
    const results = await load(replicas, { apiKeys, options, stop });
    const after = cpuOf(replicas);
    const micros = REPLICATED.map((name) => {
      return [name, after[name].map((each, index) => each - (before[name][index] ?? 0))] as const;
    });
    const requestsPerSecond = results.reduce(
      (sum, { answers, elapsedMs }) => sum + (answers / elapsedMs) * 1_000,
      0,
    );
    measured.push({ replicas: count, requestsPerSecond, micros: Object.fromEntries(micros) });
  }
  console.log(tableOf(measured));
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify(measured, null, 2));
  return measured.every(({ micros }) => Object.values(micros).every(isEven));
}

/** Asks all gateways at once, as many connections each. */
async function load(
  replicas: Replicas,
  { apiKeys, options, stop }: { apiKeys: string[]; options: BenchOptions; stop: AbortSignal },
): Promise<LoadResult[]> {
  using stack = new DisposableStack();
  const { baseUrls } = replicas;
  const connections = Math.ceil(options.connections / baseUrls.length);
  const durationMs = options.seconds * 1_000;
  const results = await Promise.all(
    baseUrls.map((baseUrl, index) => {
      const generator = stack.use(new LoadGenerator());
      const own = apiKeys.filter((_, key) => key % baseUrls.length === index);
      const order = { baseUrl, apiKeys: own, paths: PATHS, isInOrder: true, seed: index + 1 };
      return generator.run({ ...order, connections, durationMs }, stop);
    }),
  );
  for (const { failures, firstFailure } of results) {
    if (failures > 0) throw new Error(`${failures} requests failed; the first: ${firstFailure}`);
  }
  return results;
}

function cpuOf(replicas: Replicas): Record<Replicated, number[]> {
  const each = REPLICATED.map((name) => {
    return [name, replicas.instancesOf(name).map(({ pid }) => familyCpuMicros(pid))];
  });
  return Object.fromEntries(each) as Record<Replicated, number[]>;
}

/** Furthest of an instance from an equal share. */
function spreadOf(micros: readonly number[]): number {
  const equal = micros.reduce((sum, each) => sum + each, 0) / micros.length;
  return Math.max(...micros.map((each) => Math.abs(each / equal - 1)));
}

function isEven(micros: readonly number[]): boolean {
  return Math.max(...micros) < COMPARED_MICROS || spreadOf(micros) <= SPREAD_MAX;
}

function tableOf(measured: readonly Shares[]): string {
  const head = [
    "instances of each",
    "requests/s",
    "service",
    "CPU ms of each",
    "furthest from equal",
  ];
  const lines = measured.flatMap(({ replicas, requestsPerSecond, micros }) =>
    Object.entries(micros).map(([name, each]) => [
      String(replicas),
      String(Math.round(requestsPerSecond)),
      name,
      each.map((one) => Math.round(one / 1_000)).join(", "),
      Math.max(...each) < COMPARED_MICROS
        ? "too little to do"
        : `${Math.round(spreadOf(each) * 100)} %`,
    ]),
  );
  return [head, head.map(() => "---"), ...lines].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
