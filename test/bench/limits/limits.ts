import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

import type { BenchOptions } from "../options.ts";
import type { LimitsRound } from "./instances.ts";
import { Instances } from "./instances.ts";
import type { LimitsFigures, Measured } from "./report.ts";
import { limitsTable, targetsOf } from "./report.ts";
import type { Stores } from "./stores.ts";
import { assertExact, startStores } from "./stores.ts";

/** Enough concurrent callers to saturate every contender. */
const CALLERS = 512;
/** Enough subjects that none exceeds the hourly limit of a key in a run. */
const SUBJECTS = 10_000;
const SETTLE_MS = 300;

type Contenders = Record<keyof LimitsFigures, Instances>;

/**
 * Measures the decisions of the limits service against alternatives, all as libraries in separate
 * processes. Resolves to whether every target is reached.
 */
export async function runLimits(options: BenchOptions, stop: AbortSignal): Promise<boolean> {
  console.log("Starting PostgreSQL and Redis …");
  await using stores = await startStores();
  await using stack = new AsyncDisposableStack();
  const contenders = startContenders(stores, stack);
  console.log(`Measuring with ${CALLERS} callers and ${SUBJECTS} subjects, in turns …`);
  const figures = await measure(contenders, options, stop);
  await stack.disposeAsync();
  await assertExact(stores.databaseUrl, allowedBy(figures));
  const kept = withoutFirstRound(figures);
  const targets = targetsOf(kept);
  console.log(`\n${limitsTable(kept, targets)}`);
  if (options.json !== undefined) {
    await writeFile(options.json, JSON.stringify({ figures: kept, targets }, null, 2));
  }
  return targets.every(({ value, min }) => value >= min);
}

function startContenders(stores: Stores, stack: AsyncDisposableStack): Contenders {
  const { databaseUrl, durableRedis, volatileRedis, environment } = stores;
  const place = { databaseUrl, redisUrl: durableRedis.url };
  const inPostgres = { place, instances: 1, storePid: environment.postgresPid };
  const inRedis = { ...inPostgres, storePid: durableRedis.pid, name: "flexible-redis" } as const;
  const volatile = { place: { databaseUrl, redisUrl: volatileRedis.url } };
  const options = {
    ours: { title: "limits, 1 instance", name: "ours", ...inPostgres },
    oursTwice: { title: "limits, 2 instances", name: "ours", ...inPostgres, instances: 2 },
    transactions: { title: "a transaction for each", name: "transactions", ...inPostgres },
    flexiblePostgres: {
      title: "rate-limiter-flexible, PostgreSQL",
      name: "flexible-postgres",
      ...inPostgres,
    },
    flexibleRedis: { title: "rate-limiter-flexible, Redis, fsync always", ...inRedis },
    flexibleRedisVolatile: {
      title: "rate-limiter-flexible, Redis, nothing on disk",
      ...inRedis,
      ...volatile,
      storePid: volatileRedis.pid,
    },
    refusals: { title: "limits, refusals of a flooding key", name: "flooded", ...inPostgres },
  } as const;
  const started = Object.entries(options).map(([key, each]) => [
    key,
    stack.use(new Instances(each)),
  ]);
  return Object.fromEntries(started) as Contenders;
}

/** In turns, so that other load on the machine affects all of them; one more round to warm up. */
async function measure(
  contenders: Contenders,
  { rounds, seconds }: BenchOptions,
  stop: AbortSignal,
): Promise<LimitsFigures> {
  const measured = Object.entries(contenders).map(([key, contender]) => {
    // Separate subjects, so that no contender has to read another's events.
    const length = key === "refusals" ? 1 : SUBJECTS;
    const subjects = Array.from({ length }, () => randomUUID());
    const { title } = contender;
    return { key, contender, title, subjects, rounds: [] as LimitsRound[] };
  });
  for (let round = 0; round <= rounds; round += 1) {
    for (const { contender, subjects, rounds: done } of measured) {
      await sleep(SETTLE_MS, undefined, { signal: stop });
      const order = { callers: CALLERS, durationMs: seconds * 1_000, subjects };
      done.push(await contender.run(order, stop));
    }
  }
  return Object.fromEntries(
    measured.map(({ key, title, rounds: done }) => [key, { title, rounds: done }]),
  ) as unknown as LimitsFigures;
}

function allowedBy({ ours, oursTwice, refusals }: LimitsFigures): number {
  const all = [ours, oursTwice, refusals].flatMap(({ rounds }) => rounds);
  return all.reduce((sum, { allowed }) => sum + allowed, 0);
}

function withoutFirstRound(figures: LimitsFigures): LimitsFigures {
  const kept = Object.entries(figures).map(([key, { title, rounds }]: [string, Measured]) => [
    key,
    { title, rounds: rounds.slice(1) },
  ]);
  return Object.fromEntries(kept) as LimitsFigures;
}
