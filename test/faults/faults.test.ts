import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { parsePolicyFile } from "@nutrition/limits/domain/policy-file";
import type { PolicySet } from "@nutrition/limits/domain/policy";
import { findExcess } from "@nutrition/limits/test/oracle";
import { Database } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";
import type { RunningRedis } from "@nutrition/test-support/redis";
import { isWithoutRedis, startRedis } from "@nutrition/test-support/redis";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, it } from "vitest";

import { connectAssistant } from "../e2e/assistants.ts";
import { System } from "../e2e/system.ts";
import { Seen, readOn, untilAnswered, writeOn } from "./load.ts";
import { LaunchedProcesses } from "../e2e/launched-processes.ts";

/** Minimum and maximum time under load. It continues until enough was observed. */
const LOAD_MS = process.env["NIGHTLY"] === "1" ? 60_000 : 15_000;
const LOAD_MOST_MS = LOAD_MS + 120_000;
/** Minimum number of answers to observe; none of them may be lost. */
const READS_ENOUGH = 150;
const WRITES_ENOUGH = 5;
const KEYS = 4;
const READERS_PER_KEY = 2;
const FAULT_EVERY_MS: [least: number, most: number] = [700, 1_900];
const AWAY_MS = 700;
/** Faults that may overlap; before further ones, the services answer again. A busy machine restarts slowly. */
const FAULTS_AT_ONCE_MAX = 2;

// Windows so short that all of them fill and empty many times during the faults.
const POLICIES = JSON.stringify({
  policies: [
    { name: "key-2-seconds", counts: "api_key_requests", max: 40, window_seconds: 2 },
    { name: "key-10-seconds", counts: "api_key_requests", max: 120, window_seconds: 10 },
    { name: "connector-hour", counts: "connector_requests", max: 240, window_seconds: 3_600 },
    { name: "mutations-3-seconds", counts: "mutations", max: 6, window_seconds: 3 },
    { name: "lines-10-seconds", counts: "lines", max: 15, window_seconds: 10 },
  ],
});
const policies: PolicySet = parsePolicyFile(POLICIES);

let folder: string;
let redis: RunningRedis | undefined;
let system: System;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nutrition-faults-"));
  const file = join(folder, "policies.json");
  await writeFile(file, POLICIES);
  redis = isWithoutRedis() ? undefined : await startRedis();
  const settings = { LIMITS_POLICY_FILE: file, LIMITS_RESERVATION_HOLD_MS: "2000" };
  system = await System.start(redis ? { ...settings, REDIS_URL: redis.url } : settings);
}, 90_000);

afterAll(async () => {
  await system[Symbol.asyncDispose]();
  await redis?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

it(
  "keeps every allowed answer and every limit, whatever is killed, paused or flushed",
  async () => {
    const processes = new LaunchedProcesses(system.dataFolder);
    const accounts = await Promise.all(
      Array.from({ length: KEYS }, (_, n) => system.account(`fault-${n}@example.com`, "--premium")),
    );
    const seen = new Seen();
    const stop = new AbortController();
    await using assistant = await connectAssistant(system.baseUrl, accounts[0]?.key ?? "");
    const load = accounts.flatMap(({ key }) =>
      Array.from({ length: READERS_PER_KEY }, () =>
        readOn(system, { key, seen, stop: stop.signal }),
      ),
    );
    load.push(writeOn(assistant, seen, stop.signal));

    const faults = await disturb(processes, seen);
    stop.abort();
    await Promise.all(load);
    const isHealthy = () =>
      system.admin<{ healthy: boolean }>("doctor").then(
        ({ healthy }) => healthy,
        () => false,
      );
    await expect.poll(isHealthy, { timeout: 20_000 }).toBe(true);

    console.log(
      `${seen.answered.length} reads and ${seen.writes} writes were answered, ${seen.refused} ` +
        `refused and ${seen.failed} failed while this went on: ${faults.join(", ")}`,
    );
    const url = await processes.databaseUrl("limits");
    await using database = new Database({ url, schema: "limits" });
    // The services may answer from caches before a killed PostgreSQL is back.
    const isBack = () =>
      database.query(sql`select 1`).then(
        () => true,
        () => false,
      );
    await expect.poll(isBack, { timeout: 20_000 }).toBe(true);
    const ids = seen.answered;
    const lost = await database.query(sql`select id from unnest(${ids}::text[]) as seen (id)
      where not exists (select from usage_events where request_id = id and state = 'committed')`);
    expect(lost).toEqual([]);
    const [logged] = await database.query<{ writes: number }>(
      sql`select count(*) as writes from usage_events where kind = 'log' and state <> 'released'`,
    );
    expect(logged?.writes).toBeGreaterThanOrEqual(seen.writes);
    expect(await findExcess(database, policies.all)).toEqual([]);
    // There was load, limits were reached, and faults had an effect.
    expect(isEnough(seen), JSON.stringify({ ...seen, answered: seen.answered.length })).toBe(true);
    const names = faultsOf(processes).map(([name]) => name);
    expect(names.filter((name) => !faults.includes(name))).toEqual([]);
  },
  LOAD_MOST_MS + 120_000,
);

/** Whether there were enough answers, refusals and failures. */
function isEnough({ answered, writes, refused, failed }: Seen): boolean {
  const isLoad = answered.length >= READS_ENOUGH && writes >= WRITES_ENOUGH;
  return isLoad && refused > 0 && failed > 0;
}

/**
 * Injects faults one after the other, each kind once per round, until all kinds occurred and enough
 * was observed; returns their names.
 */
async function disturb(processes: LaunchedProcesses, seen: Seen): Promise<string[]> {
  const startedMs = performance.now();
  const kinds = faultsOf(processes).length;
  const done: string[] = [];
  let left: Fault[] = [];
  for (;;) {
    const elapsedMs = performance.now() - startedMs;
    const isDone = elapsedMs >= LOAD_MS && done.length >= kinds && isEnough(seen);
    if (isDone || elapsedMs >= LOAD_MOST_MS) return done;
    const [least, most] = FAULT_EVERY_MS;
    await sleep(least + Math.random() * (most - least));
    if (left.length === 0) left = [...faultsOf(processes)];
    const [fault] = left.splice(Math.floor(Math.random() * left.length), 1) as [Fault];
    const [name, happen] = fault;
    await happen();
    done.push(name);
    if (done.length % FAULTS_AT_ONCE_MAX === 0) await untilAnswered(seen);
  }
}

type Fault = [name: string, happen: () => Promise<void>];

function faultsOf(processes: LaunchedProcesses): Fault[] {
  const faults: Fault[] = [
    ["gateway killed", () => processes.killService("gateway")],
    ["limits killed", () => processes.killService("limits")],
    ["PostgreSQL killed", () => processes.killPostgres()],
  ];
  return redis ? [...faults, ...redisFaultsOf(redis)] : faults;
}

function redisFaultsOf(server: RunningRedis): Fault[] {
  const command = async (...words: [string, ...string[]]) => {
    const client = new Redis(server.url, { lazyConnect: true });
    try {
      await client.connect();
      await client.call(...words);
    } finally {
      client.disconnect();
    }
  };
  return [
    ["Redis flushed", () => command("FLUSHALL")],
    ["Redis paused", () => command("CLIENT", "PAUSE", String(AWAY_MS), "ALL")],
    [
      "Redis stopped",
      async () => {
        server.pause();
        await sleep(AWAY_MS);
        server.resume();
      },
    ],
    [
      "Redis killed",
      async () => {
        await server.kill();
        await sleep(AWAY_MS);
        await server.start();
      },
    ],
  ];
}
