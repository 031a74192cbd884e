import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { loadSecrets } from "@nutrition/local/secrets";
import { CALLERS } from "@nutrition/local/services";

import {
  createServicesDatabase,
  SERVICES_DATABASE,
  settleDatabase,
  withClient,
} from "../edge/databases.ts";
import type { Environment } from "../edge/environment.ts";
import { startEnvironment } from "../edge/environment.ts";
import { startServices } from "../edge/services.ts";
import { COLLECTS_GARBAGE } from "../memory.ts";
import type { BenchOptions } from "../options.ts";
import { seedAbusers } from "./abuser-data.ts";
import type { AbuseKind } from "./kinds.ts";
import { ABUSE_KINDS } from "./kinds.ts";
import type { Abuser } from "./measurement.ts";
import { Measurement } from "./measurement.ts";
import type { Phase } from "./figures.ts";
import type { Row } from "./report.ts";
import { LEGEND, doubtsIn, rowOf, tableOf } from "./report.ts";
import { StrangerTokens } from "./stranger-tokens.ts";

/** The public limit, for accounts that should use it up; all others have far more. */
const KEY_REQUESTS_AN_HOUR = 120;
const WARM_UP_SEED = 1_000_000;
const WARM_UP_PHASES_ALONE = 3;

/**
 * Measures ordinary people without and with one abusive account of each kind. Resolves to whether
 * nobody suffered.
 */
export async function runFairness(options: BenchOptions, stop: AbortSignal): Promise<boolean> {
  if (process.platform !== "linux") throw new Error("CPU time is read from /proc: use Linux.");
  const kinds = kindsNamed(options.kinds);
  console.log("Starting PostgreSQL and writing the journals …");
  await using environment = await startEnvironment();
  const secretsFile = join(environment.folder, "secrets.json");
  const secrets = await loadSecrets(secretsFile, CALLERS);
  const apiKeys = await createServicesDatabase(environment, secrets);
  const abusers = await makeAbusers(environment, apiKeys, { ...options, kinds });
  await settleDatabase(environment.databaseUrl(SERVICES_DATABASE));
  stop.throwIfAborted();
  const profile = options.profile === undefined ? undefined : resolve(options.profile);
  const overrides = abusers.filter(({ kind }) => kind.isUsedUp).map(overrideFor);
  const nodeFlags = COLLECTS_GARBAGE;
  const settings = { environment, secrets, profile, overrides, nodeFlags, hasPages: true };
  await using services = await startServices(settings, stop);
  const tokens = await StrangerTokens.of(services.authUrl ?? "");
  const people = apiKeys.slice(abusers.length);
  const { folder } = environment;
  const { seconds } = options;
  using measurement = new Measurement({ services, folder, people, tokens, seconds }, stop);
  await warmUp(measurement, abusers);
  const rows: Row[] = [];
  for (const kind of kinds) {
    console.log(`Measuring ${kind.name} …`);
    const ofKind = abusers.filter((abuser) => abuser.kind === kind);
    rows.push(...(await measureKind(measurement, ofKind, options.rounds)));
  }
  console.log(`\n${tableOf(rows)}\n${LEGEND}${doubtsIn(rows)}`);
  console.log(`${measurement.repeats} phases were measured again because the disk stalled.`);
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify(rows, null, 2));
  return rows.every(({ faults }) => faults.length === 0);
}

interface AbusiveAccount extends Abuser {
  accountId: string;
}

interface Crowd {
  kinds: readonly AbuseKind[];
  abuserConnections: readonly number[];
}

/** Fills an account for each row: no cache of one may help the next. */
async function makeAbusers(
  { databaseUrl }: Environment,
  apiKeys: readonly string[],
  { kinds, abuserConnections }: Crowd,
): Promise<AbusiveAccount[]> {
  const rows = kinds.flatMap((kind) => {
    const counts = kind.crowd ? [kind.crowd.connections] : abuserConnections;
    return counts.map((connections) => ({ kind, connections }));
  });
  const accountIds = await withClient(databaseUrl(SERVICES_DATABASE), (client) =>
    seedAbusers(client, rows.length),
  );
  return rows.map((row, index) => ({
    ...row,
    apiKey: apiKeys[index] ?? "",
    accountId: accountIds[index] ?? "",
  }));
}

/** All kinds by default. Throws a readable message for an unknown name. */
function kindsNamed(names: readonly string[] | undefined): readonly AbuseKind[] {
  if (names === undefined) return ABUSE_KINDS;
  return names.map((name) => {
    const kind = ABUSE_KINDS.find((known) => known.name === name);
    if (kind) return kind;
    const known = ABUSE_KINDS.map((each) => each.name).join(", ");
    throw new Error(`--kinds takes some of ${known}, not "${name}".`);
  });
}

function overrideFor({ accountId }: AbusiveAccount) {
  return { subject: `account:${accountId}`, policy: "key-hour", max: KEY_REQUESTS_AN_HOUR };
}

/**
 * Uses limits up, and runs people alone and beside each kind once, so that heaps, caches and compiled
 * code are as they stay. The figures are discarded.
 */
async function warmUp(measurement: Measurement, abusers: readonly Abuser[]): Promise<void> {
  for (const { kind, apiKey } of abusers) if (kind.isUsedUp) await measurement.useUp(apiKey);
  let seed = WARM_UP_SEED;
  for (let phase = 0; phase < WARM_UP_PHASES_ALONE; phase += 1) await measurement.alone(seed++);
  const lastOfKinds = new Map(abusers.map((abuser) => [abuser.kind, abuser]));
  for (const abuser of lastOfKinds.values()) await measurement.beside(abuser, seed++);
}

/**
 * In each round, people are measured alone and beside each abuser in turn, with the same requests, so
 * that drift affects both equally.
 */
async function measureKind(
  measurement: Measurement,
  abusers: readonly Abuser[],
  rounds: number,
): Promise<Row[]> {
  const alone: Phase[] = [];
  const beside = abusers.map((): Phase[] => []);
  let seed = 0;
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, abuser] of abusers.entries()) {
      seed += 1;
      alone.push(await measurement.alone(seed));
      beside[index]?.push(await measurement.beside(abuser, seed));
    }
  }
  return abusers.map(({ kind, connections }, index) =>
    rowOf({
      kind: kind.name,
      isRefused: kind.isRefused,
      connections,
      alone,
      beside: beside[index] ?? [],
    }),
  );
}
