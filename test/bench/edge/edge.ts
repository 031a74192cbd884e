import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { loadSecrets } from "@nutrition/local/secrets";
import { SERVICE_NAMES } from "@nutrition/local/services";
import { OPERATOR } from "@nutrition/local/topology";

import { LoadGenerator } from "../load.ts";
import type { MeasuredSystem } from "../measured-system.ts";
import type { BenchOptions } from "../options.ts";
import { chartOf } from "./chart.ts";
import {
  countKeyLookUps,
  countRows,
  createDatabases,
  PEER_DATABASE,
  SERVICES_DATABASE,
} from "./databases.ts";
import type { Environment } from "./environment.ts";
import { startEnvironment } from "./environment.ts";
import { DATES, REQUESTS_BEFORE } from "./journal-data.ts";
import { EdgeMeasurement } from "./measurement.ts";
import type { PeerName } from "./peer.ts";
import { PEERS, startPeer } from "./peer.ts";
import { reportOf, tableOf } from "./report.ts";
import type { Report } from "./report.ts";
import type { Sample } from "./same-answers.ts";
import { assertSameAnswers } from "./same-answers.ts";
import { startServices } from "./services.ts";

/** Few enough that 100,000 accounts are written in a minute or two. */
const DAYS = 2;
const ITEMS_A_DAY = 12;
/** A gateway that cannot read the changed keys in time looks keys up. */
const LOOK_UPS_SHARE_MAX = 0.01;
const PATHS = DATES.slice(0, DAYS).map((date) => `/api/v1/nutrition/summary?date=${date}`);
const PATH_WITHOUT_FOOD = "/api/v1/nutrition/summary?date=2001-01-01";

/**
 * Measures a read through all services against the same read from monoliths. Resolves to whether the
 * services are good enough.
 */
export async function runEdge(options: BenchOptions, stop: AbortSignal): Promise<boolean> {
  if (process.platform !== "linux") throw new Error("CPU time is read from /proc: use Linux.");
  const earlier = options.compare === undefined ? undefined : await readReport(options.compare);
  const { accounts, rounds, seconds, connectionCounts } = options;
  console.log(`Starting PostgreSQL and writing the journals of ${accounts} accounts …`);
  await using environment = await startEnvironment();
  const secretsFile = join(environment.folder, "secrets.json");
  const secrets = await loadSecrets(secretsFile, [...SERVICE_NAMES, OPERATOR]);
  const size = { accounts, days: DAYS, itemsADay: ITEMS_A_DAY };
  const apiKeys = await createDatabases(environment, secrets, size);
  stop.throwIfAborted();
  const profile = options.profile === undefined ? undefined : resolve(options.profile);
  await using stack = new AsyncDisposableStack();
  const systems: MeasuredSystem[] = [
    stack.use(await startServices({ environment, secrets, profile }, stop)),
  ];
  for (const name of Object.keys(PEERS) as PeerName[]) {
    systems.push(stack.use(await startPeer(name, { environment, secrets }, stop)));
  }
  const samples = samplesOf(apiKeys);
  await assertSameAnswers(systems, samples);
  console.log("All answer the same documents. Measuring …");
  using generator = new LoadGenerator();
  const measurement = new EdgeMeasurement({ systems, generator, apiKeys, paths: PATHS, stop });
  await measurement.warmUp();
  const before = await countKeyLookUps(environment.databaseUrl(SERVICES_DATABASE));
  const cells = await measurement.run({ rounds, seconds, connectionCounts });
  await assertNoLookUps(environment, { before, answers: measurement.answersOf("services") });
  await assertAllCounted(environment, { accounts, systems, samples: samples.length, measurement });
  const report = reportOf({ rounds, seconds, accounts }, cells);
  console.log(`\n${tableOf(report, earlier)}`);
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify(report, null, 2));
  if (options.svg !== undefined) await writeFile(options.svg, chartOf(report));
  return report.ratio >= report.ratioMin;
}

async function readReport(file: string): Promise<Report> {
  return JSON.parse(await readFile(file, "utf8")) as Report;
}

/** Each day and a day without food, each with another account's key. */
function samplesOf(apiKeys: readonly string[]): Sample[] {
  return [...PATHS, PATH_WITHOUT_FOOD].map((path, index) => {
    const spread = Math.floor((index * apiKeys.length) / (PATHS.length + 1));
    return { path, apiKey: apiKeys[spread] ?? "" };
  });
}

interface Asked {
  accounts: number;
  systems: readonly MeasuredSystem[];
  /** Requests that each system was asked before it was measured. */
  samples: number;
  measurement: EdgeMeasurement;
}

/** Throws if signed keys were looked up: then something else was measured than what the service does. */
async function assertNoLookUps(
  { databaseUrl }: Environment,
  { before, answers }: { before: number; answers: number },
): Promise<void> {
  const lookUps = (await countKeyLookUps(databaseUrl(SERVICES_DATABASE))) - before;
  console.log(`${lookUps} keys looked up`);
  if (lookUps > answers * LOOK_UPS_SHARE_MAX) throw new Error("Signed keys were looked up.");
}

/** Throws unless each database stores as many usage events as its systems gave answers. */
async function assertAllCounted(
  { databaseUrl }: Environment,
  { accounts, systems, samples, measurement }: Asked,
): Promise<void> {
  const tables = [
    { database: SERVICES_DATABASE, table: "limits.usage_events" },
    { database: PEER_DATABASE, table: "usage_events" },
  ];
  for (const { database, table } of tables) {
    const ours = systems.filter(({ name }) => databaseOf(name) === database);
    const answers = ours.reduce((sum, { name }) => sum + measurement.answersOf(name) + samples, 0);
    const events = (await countRows(databaseUrl(database), table)) - accounts * REQUESTS_BEFORE;
    console.log(`${database}: ${answers} answers, ${events} usage events stored`);
    if (events !== answers) throw new Error(`${database}: answers and usage events differ.`);
  }
}

function databaseOf(name: string): string {
  return PEERS[name as PeerName]?.database ?? SERVICES_DATABASE;
}
