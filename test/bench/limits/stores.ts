import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { cleanUp } from "@nutrition/limits/operations/clean-up";
import { keyPolicies } from "@nutrition/limits/test/load";
import { findExcess } from "@nutrition/limits/test/oracle";
import { Database } from "@nutrition/postgres/database";
import { migrate } from "@nutrition/postgres/migrate";
import { migrationsOf } from "@nutrition/setup/database/services";
import type { RunningRedis } from "@nutrition/test-support/redis";
import { startRedis } from "@nutrition/test-support/redis";
import pg from "pg";

import type { Environment } from "../edge/environment.ts";
import { startEnvironment } from "../edge/environment.ts";

/**
 * A PostgreSQL with fsync, and two Redis servers: one equally durable, and one without persistence.
 */
export interface Stores extends AsyncDisposable {
  environment: Environment;
  databaseUrl: string;
  durableRedis: RunningRedis;
  volatileRedis: RunningRedis;
}

const PEER_TABLES = `
  create table peer_events (subject text not null, at timestamptz not null);
  create index peer_events_subject on peer_events (subject, at);
  create table flexible_3600 (key varchar(255) primary key, points int not null default 0, expire bigint);
  create table flexible_86400 (key varchar(255) primary key, points int not null default 0, expire bigint);`;

/** Starts the stores empty; disposing deletes all of it. */
export async function startStores(): Promise<Stores> {
  await using stack = new AsyncDisposableStack();
  const environment = stack.use(await startEnvironment());
  const databaseUrl = environment.databaseUrl("postgres");
  const redisFolder = join(environment.folder, "redis");
  await mkdir(redisFolder);
  const onDisk = ["--dir", redisFolder, "--save", "", "--appendonly", "yes"];
  const durableRedis = stack.use(await startRedis([...onDisk, "--appendfsync", "always"]));
  const volatileRedis = stack.use(await startRedis());
  await prepareDatabase(databaseUrl);
  const stores = { environment, databaseUrl, durableRedis, volatileRedis };
  const running = stack.move();
  return { ...stores, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function prepareDatabase(url: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`create schema limits; ${PEER_TABLES}`);
  await admin.end();
  await migrate({ url, schema: "limits", folder: migrationsOf("limits") });
  await using database = new Database({ url, schema: "limits" });
  await cleanUp(database, 35);
}

/** Throws unless every allowed decision is in the log and no limit is exceeded. */
export async function assertExact(url: string, allowed: number): Promise<void> {
  await using database = new Database({ url, schema: "limits", statementTimeoutMs: 120_000 });
  const text = "select count(*)::int as events from usage_events";
  const [row] = await database.query<{ events: number }>({ text, values: [] });
  if (row?.events !== allowed) {
    throw new Error(`${allowed} decisions were allowed, but ${row?.events} events are in the log.`);
  }
  const [excess] = await findExcess(database, keyPolicies([10_000, 3_600], [10_000, 86_400]).all);
  if (excess) throw new Error(`${excess.subject} exceeded its limit: ${excess.units}.`);
}
