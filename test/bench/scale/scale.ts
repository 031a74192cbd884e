import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { loadSecrets } from "@nutrition/local/secrets";
import type { Secrets } from "@nutrition/local/secrets";
import { SERVICE_NAMES } from "@nutrition/local/services";
import { OPERATOR } from "@nutrition/local/topology";

import type { Environment } from "../edge/environment.ts";
import { startEnvironment } from "../edge/environment.ts";
import { startServices } from "../edge/services.ts";
import { LoadGenerator } from "../load.ts";
import type { MeasuredSystem } from "../measured-system.ts";
import type { BenchOptions } from "../options.ts";
import { measureInTurns } from "../rounds.ts";
import type { PeopleDatabase } from "./databases.ts";
import { createPeopleDatabase, tableRows } from "./databases.ts";
import type { Work } from "./operations.ts";
import { askEverything, measureRights } from "./operations.ts";
import type { Person } from "./people.ts";
import { DAYS } from "./people.ts";
import type { Planned } from "./plans.ts";
import { logPlans, readPlans } from "./plans.ts";
import type { ReadRounds } from "./report.ts";
import { reportOf, tableOf } from "./report.ts";

/** The small database has a tenth of the accounts: enough that nobody calls twice in a moment. */
const SMALL_SHARE = 0.1;
const WARM_UP_SECONDS = 3;
/** Tables with more rows are large: nothing that is asked often may read one as a whole. */
const LARGE_TABLE_ROWS = 10_000;

/**
 * Measures the reads with the journals of many people beside those of few, checks the plans of all
 * statements, and what exporting and erasing an account takes. Resolves to whether all is good enough.
 */
export async function runScale(options: BenchOptions, stop: AbortSignal): Promise<boolean> {
  if (process.platform !== "linux") throw new Error("CPU time is read from /proc: use Linux.");
  const { accounts } = options;
  await using environment = await startEnvironment();
  const secretsFile = join(environment.folder, "secrets.json");
  const secrets = await loadSecrets(secretsFile, [...SERVICE_NAMES, OPERATOR]);
  const few = Math.max(1_000, Math.round(accounts * SMALL_SHARE));
  const databases: PeopleDatabase[] = [];
  for (const [name, count] of [
    ["small", few],
    ["large", accounts],
  ] as const) {
    console.log(`Writing the journals of ${count} people …`);
    databases.push(await createPeopleDatabase(environment, secrets, { name, accounts: count }));
    stop.throwIfAborted();
  }
  const [small, large] = databases as [PeopleDatabase, PeopleDatabase];
  console.log("Measuring the reads …");
  const reads = await measureReads({ environment, secrets, stop, options }, [small, large]);
  console.log("Exporting and erasing accounts, and looking at the plans of all statements …");
  const { rights, plans } = await inspect({ environment, secrets, stop }, large);
  const rows = await tableRows(environment.databaseUrl(large.name));
  const isLarge = (table: string) => (rows.get(table) ?? 0) > LARGE_TABLE_ROWS;
  const report = reportOf({ options, databases, reads, rights, plans, isLarge });
  console.log(`\n${tableOf(report)}`);
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify(report, null, 2));
  return report.isGood;
}

interface Run {
  environment: Environment;
  secrets: Secrets;
  stop: AbortSignal;
}

/** Each read with both databases in turns. */
async function measureReads(
  { environment, secrets, stop, options }: Run & { options: BenchOptions },
  databases: readonly [PeopleDatabase, PeopleDatabase],
): Promise<ReadRounds[]> {
  await using stack = new AsyncDisposableStack();
  const systems: (MeasuredSystem & { nextKeys: (seconds: number) => string[] })[] = [];
  for (const { name, people } of databases) {
    const system = await startServices(
      { environment, secrets, profile: undefined, database: name },
      stop,
    );
    stack.use(system);
    systems.push({ ...system, name, nextKeys: keysInTurn(people) });
  }
  using generator = new LoadGenerator();
  const { rounds, seconds, connections } = options;
  const measured: ReadRounds[] = [];
  const ask = async (paths: string[], order: { seconds: number; rounds: number }) => {
    const results = systems.map((): ReadRounds["small"] => []);
    for (let round = 0; round < order.rounds; round += 1) {
      const loaded = systems.map((system) => ({
        ...system,
        load: { apiKeys: system.nextKeys(order.seconds) },
      }));
      const durationMs = order.seconds * 1_000;
      const load = { paths, apiKeys: [], isInOrder: true, connections, durationMs };
      const turn = await measureInTurns(loaded, stop, { generator, load, rounds: 1 });
      turn.forEach((result, index) => results[index]?.push(...result));
    }
    return results;
  };
  await ask(Object.values(READS).flat(), { seconds: WARM_UP_SECONDS, rounds: 1 });
  for (const [read, paths] of Object.entries(READS)) {
    const [small = [], large = []] = await ask(paths, { seconds, rounds });
    measured.push({ read, small, large });
  }
  return measured;
}

/** More requests than are answered in a second. */
const KEYS_PER_SECOND = 3_000;

/** Gives keys of the next people who have not called for longest, none of them each time. */
function keysInTurn(people: readonly Person[]): (seconds: number) => string[] {
  let next = 0;
  return (seconds) => {
    const count = Math.min(people.length, KEYS_PER_SECOND * seconds);
    const keys = Array.from({ length: count }, (_, index) => {
      return people[(next + index) % people.length]?.apiKey ?? "";
    });
    next = (next + count) % people.length;
    return keys;
  };
}

/** Days ago that everybody has food of. */
const DATES = Array.from({ length: DAYS }, (_, ago) =>
  new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10),
);
const READS: Readonly<Record<string, string[]>> = {
  summary: DATES.map((date) => `/api/v1/nutrition/summary?date=${date}`),
  "entries of a day": DATES.map(
    (date) => `/api/v1/food-entries?start_date=${date}&end_date=${date}`,
  ),
  "entries of 14 days": ["/api/v1/food-entries"],
  weights: ["/api/v1/weight-history"],
  profile: ["/api/v1/me"],
};

/** Exports and erases an account of each kind; then runs every operation again with plans logged. */
async function inspect(
  { environment, secrets, stop }: Run,
  { name, people }: PeopleDatabase,
): Promise<{ rights: Record<string, Work[]>; plans: Planned[] }> {
  const long = people.filter(({ isLong }) => isLong);
  const others = people.filter(({ isLong }) => !isLong);
  const rights: Record<string, Work[]> = {};
  const start = () =>
    startServices({ environment, secrets, profile: undefined, database: name }, stop);
  {
    await using services = await start();
    await measureRights(services, others[0] as Person);
    rights["20 days"] = await measureRights(services, others[1] as Person);
    rights["a year"] = await measureRights(services, long[0] as Person);
  }
  await logPlans(environment, name);
  {
    await using services = await start();
    const paths = Object.values(READS).flatMap((each) => each.slice(0, 1));
    for (const person of [others[2], long[1]] as Person[]) {
      await askEverything(services, person, paths);
      await measureRights(services, person);
    }
  }
  return { rights, plans: await readPlans(environment) };
}
