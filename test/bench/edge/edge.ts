import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { loadSecrets } from "@nutrition/local/secrets";
import { SERVICE_NAMES } from "@nutrition/local/services";
import { OPERATOR } from "@nutrition/local/topology";

import { LoadGenerator } from "../load.ts";
import type { BenchOptions } from "../options.ts";
import type { Round } from "../rounds.ts";
import { measureInTurns } from "../rounds.ts";
import { countRows, createDatabases, PEER_DATABASE, SERVICES_DATABASE } from "./databases.ts";
import type { Environment } from "./environment.ts";
import { startEnvironment } from "./environment.ts";
import { DATES } from "./journal-data.ts";
import { startPeer } from "./peer.ts";
import { compare, tableOf } from "./report.ts";
import type { Sample } from "./same-answers.ts";
import { assertSameAnswers } from "./same-answers.ts";
import { startServices } from "./services.ts";

const PATHS = DATES.map((date) => `/api/v1/nutrition/summary?date=${date}`);
const PATH_WITHOUT_FOOD = "/api/v1/nutrition/summary?date=2001-01-01";

/**
 * Measures a read through all services against the same read from a monolith of stock parts.
 * Resolves to whether the services are good enough.
 */
export async function runEdge(options: BenchOptions, stop: AbortSignal): Promise<boolean> {
  if (process.platform !== "linux") throw new Error("CPU time is read from /proc: use Linux.");
  console.log("Starting PostgreSQL and writing the journals of both systems …");
  await using environment = await startEnvironment();
  const secretsFile = join(environment.folder, "secrets.json");
  const secrets = await loadSecrets(secretsFile, [...SERVICE_NAMES, OPERATOR]);
  const apiKeys = await createDatabases(environment, secrets);
  stop.throwIfAborted();
  const profile = options.profile === undefined ? undefined : resolve(options.profile);
  await using services = await startServices({ environment, secrets, profile }, stop);
  await using peer = await startPeer({ environment, secrets }, stop);
  const samples = samplesOf(apiKeys);
  await assertSameAnswers([services, peer], samples);
  console.log("Both answer the same documents. Measuring …");
  using generator = new LoadGenerator();
  const { connections, seconds, rounds } = options;
  const load = { apiKeys, paths: PATHS, connections, durationMs: seconds * 1_000 };
  const [ours = [], peers = []] = await measureInTurns([services, peer], stop, {
    generator,
    load,
    // The first of each warms it up.
    rounds: rounds + 1,
  });
  await assertAllCounted(environment, { samples: samples.length, ours, peers });
  const report = compare({ rounds, seconds, connections }, ours.slice(1), peers.slice(1));
  console.log(`\n${tableOf(report)}`);
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify(report, null, 2));
  return report.ratio >= report.ratioMin;
}

/** Every day once, each with another account's key, and a day without food. */
function samplesOf(apiKeys: readonly string[]): Sample[] {
  return [...PATHS, PATH_WITHOUT_FOOD].map((path, index) => {
    const spread = Math.floor((index * apiKeys.length) / (PATHS.length + 1));
    return { path, apiKey: apiKeys[spread] ?? "" };
  });
}

/** Throws unless each system has stored as many usage events as it gave answers. */
async function assertAllCounted(
  { databaseUrl }: Environment,
  asked: { samples: number; ours: readonly Round[]; peers: readonly Round[] },
): Promise<void> {
  const tables = [
    { database: SERVICES_DATABASE, table: "limits.usage_events", rounds: asked.ours },
    { database: PEER_DATABASE, table: "usage_events", rounds: asked.peers },
  ];
  for (const { database, table, rounds } of tables) {
    const answers = rounds.reduce((sum, round) => sum + round.answers, asked.samples);
    const events = await countRows(databaseUrl(database), table);
    if (events !== answers) {
      throw new Error(`${database}: ${answers} answers, but ${events} usage events were stored.`);
    }
  }
}
