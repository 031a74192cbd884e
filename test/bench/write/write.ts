import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { loadSecrets } from "@nutrition/local/secrets";
import type { Secrets } from "@nutrition/local/secrets";
import { SERVICE_NAMES } from "@nutrition/local/services";
import { OPERATOR } from "@nutrition/local/topology";

import { countRows, SERVICES_DATABASE } from "../edge/databases.ts";
import type { Environment } from "../edge/environment.ts";
import { startEnvironment } from "../edge/environment.ts";
import { startServices } from "../edge/services.ts";
import { medianRound } from "../rounds.ts";
import type { BenchOptions } from "../options.ts";
import { createPeopleDatabase } from "../scale/databases.ts";
import { reportOf, tableOf } from "./report.ts";
import type { Counted } from "./report.ts";
import { StatementCounter } from "./statement-counter.ts";
import { LINES, Writer } from "./writer.ts";

const PEOPLE = 4_000;
/** Rounds in which V8 compiles, connections are made and statements are planned. */
const WARM_UPS = 2;

/**
 * Measures a `log_food` of three lines, and counts its statements and round trips. Resolves to whether
 * every line was stored.
 */
export async function runWrite(options: BenchOptions, stop: AbortSignal): Promise<boolean> {
  if (process.platform !== "linux") throw new Error("CPU time is read from /proc: use Linux.");
  console.log("Starting PostgreSQL and writing journals …");
  await using environment = await startEnvironment();
  const secretsFile = join(environment.folder, "secrets.json");
  const secrets = await loadSecrets(secretsFile, [...SERVICE_NAMES, OPERATOR]);
  const size = { name: SERVICES_DATABASE, accounts: PEOPLE };
  const { people } = await createPeopleDatabase(environment, secrets, size);
  const apiKeys = people.map(({ apiKey }) => apiKey);
  using writer = new Writer({ apiKeys, seconds: options.seconds, stop });
  const countItems = () => countRows(environment.databaseUrl(SERVICES_DATABASE), "journal.items");
  const itemsBefore = await countItems();
  console.log("Counting …");
  const counted = await countStatements({ environment, secrets, writer, stop });
  console.log("Measuring …");
  await using services = await startServices({ environment, secrets, profile: undefined }, stop);
  await writer.write(services, WARM_UPS);
  const median = medianRound(await writer.write(services, options.rounds));
  const lines = (await countItems()) - itemsBefore;
  const report = reportOf({ counted, median, writes: writer.writes, stored: lines / LINES });
  console.log(`\n${tableOf(report)}`);
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify(report, null, 2));
  return report.isGood;
}

interface Counting {
  environment: Environment;
  secrets: Secrets;
  writer: Writer;
  stop: AbortSignal;
}

/** Counts what services send that reach PostgreSQL through a counter, which slows them down. */
async function countStatements({ environment, secrets, writer, stop }: Counting): Promise<Counted> {
  await using counter = await StatementCounter.start(environment.databaseUrl(SERVICES_DATABASE));
  const relayed = {
    ...environment,
    databaseUrl: (name: string) => counter.through(environment.databaseUrl(name)),
  };
  await using services = await startServices(
    { environment: relayed, secrets, profile: undefined },
    stop,
  );
  await writer.write(services, WARM_UPS);
  counter.take();
  const [round] = await writer.write(services, 1);
  return { writes: round?.answers ?? 0, traffic: Object.fromEntries(counter.take()) };
}
