// The deciders in the benchmark's child processes: ours and its peers, as libraries, each with two
// policies that nobody exceeds.
import { systemClock } from "@nutrition/core/clock";
import { Batcher } from "@nutrition/limits/decisions/batcher";
import { Decider } from "@nutrition/limits/decisions/decider";
import { DatabaseClock } from "@nutrition/limits/decisions/database-clock";
import { DenialCache } from "@nutrition/limits/decisions/denial-cache";
import { DenialCounter } from "@nutrition/limits/decisions/denial-counter";
import { cacheDenials } from "@nutrition/limits/decisions/cache-denials";
import { AccountMemory } from "@nutrition/limits/decisions/account-memory";
import { SteadyTime } from "@nutrition/limits/domain/steady-time";
import type { PolicySet } from "@nutrition/limits/domain/policy";
import { decideBatch } from "@nutrition/limits/operations/decide-batch";
import { keyRequest, keyPolicies } from "@nutrition/limits/test/load";
import { Database } from "@nutrition/postgres/database";
import { Redis } from "ioredis";
import pg from "pg";
import { RateLimiterPostgres, RateLimiterRedis, RateLimiterUnion } from "rate-limiter-flexible";

import type { WorkerPlace } from "./worker-orders.ts";

/** Decides on one request of a subject; resolves to whether it is allowed. */
export interface Contender extends AsyncDisposable {
  decide(subject: string): Promise<boolean>;
}

/** More than is requested of any subject, and the maximum in a policy file. */
const MAX = 10_000;
const WINDOWS_SECONDS = [3_600, 86_400] as const;
/** Number of requests that a flooding key is allowed before it is refused. */
const FLOOD_MAX = 120;
const CONNECTIONS = 16;
const QUEUE_MAX = 4_096;
const ENOUGH = keyPolicies(...WINDOWS_SECONDS.map((seconds): [number, number] => [MAX, seconds]));

/** The service's own decisions, assembled as in the service. */
export async function openOurs({ databaseUrl }: WorkerPlace): Promise<Contender> {
  return openDecider(databaseUrl, ENOUGH);
}

/** The same for subjects with a low limit that keep sending requests. */
export async function openFlooded({ databaseUrl }: WorkerPlace): Promise<Contender> {
  return openDecider(databaseUrl, keyPolicies([FLOOD_MAX, 3_600]));
}

function openDecider(databaseUrl: string, policies: PolicySet): Contender {
  const options = {
    url: databaseUrl,
    schema: "limits",
    maxConnections: 2,
    pipelined: true,
    keptPlans: true,
  };
  const database = new Database(options);
  const ledgers = new AccountMemory();
  const clock = systemClock;
  const denialCache = new DenialCache(clock, policies.version);
  const time = new SteadyTime(clock);
  const decideMany = cacheDenials({
    denialCache,
    shared: undefined,
    databaseClock: new DatabaseClock(clock),
    clock,
    policies: () => policies,
    decide: (limitRequests, current) =>
      decideBatch(database, limitRequests, {
        policies: current,
        holdMs: 60_000,
        time,
        known: ledgers,
      }),
  });
  const batcher = new Batcher(decideMany, QUEUE_MAX);
  const decider = new Decider({ batcher, denialCache, refusals: new DenialCounter(), look() {} });
  return {
    decide: async (subject) => (await decider.decide(keyRequest(subject))).allowed,
    async [Symbol.asyncDispose]() {
      await batcher[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Peer (a): an exact implementation with a transaction for each decision. */
export async function openTransactions({ databaseUrl }: WorkerPlace): Promise<Contender> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  return {
    async decide(subject) {
      const client = await pool.connect();
      try {
        await client.query("begin");
        const lock = "select pg_advisory_xact_lock(hashtextextended($1, 1))";
        await client.query({ name: "lock", text: lock, values: [subject] });
        const counts = { name: "count", text: COUNT_BOTH, values: [subject] };
        const { rows } = await client.query<{ hour: string; day: string }>(counts);
        const allowed = Number(rows[0]?.hour) < MAX && Number(rows[0]?.day) < MAX;
        const insert = "insert into peer_events values ($1, clock_timestamp())";
        if (allowed) await client.query({ name: "insert", text: insert, values: [subject] });
        await client.query("commit");
        return allowed;
      } finally {
        client.release();
      }
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

const COUNT_BOTH = `select count(*) filter (where at > now() - interval '1 hour') as hour,
    count(*) as day
  from peer_events where subject = $1 and at > now() - interval '1 day'`;

/** Peer (b): rate-limiter-flexible in PostgreSQL. */
export async function openFlexiblePostgres({ databaseUrl }: WorkerPlace): Promise<Contender> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  const limiters = WINDOWS_SECONDS.map((duration) => {
    const table = { tableName: `flexible_${duration}`, tableCreated: true };
    return new RateLimiterPostgres({ storeClient: pool, points: MAX, duration, ...table });
  });
  return { ...consumingOf(limiters), [Symbol.asyncDispose]: () => pool.end() };
}

/** Peer (b): rate-limiter-flexible in Redis. */
export async function openFlexibleRedis({ redisUrl }: WorkerPlace): Promise<Contender> {
  const redis = new Redis(redisUrl);
  const limiters = WINDOWS_SECONDS.map((duration) => {
    const keyPrefix = `flexible_${duration}`;
    return new RateLimiterRedis({ storeClient: redis, points: MAX, duration, keyPrefix });
  });
  const dispose = async () => redis.disconnect();
  return { ...consumingOf(limiters), [Symbol.asyncDispose]: dispose };
}

function consumingOf(limiters: (RateLimiterPostgres | RateLimiterRedis)[]) {
  const both = new RateLimiterUnion(...limiters);
  return {
    // Rejects if the limit is reached, which never happens here.
    decide: async (subject: string) => Boolean(await both.consume(subject)),
  };
}
