// The peer: the same request in one program with stock parts, as an expert in them would write it.
// It runs as a separate process.
import { createHmac, timingSafeEqual } from "node:crypto";

import Fastify from "fastify";
import { Redis } from "ioredis";
import pg from "pg";
import { RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";

import { DayReader } from "./monolith-day.ts";

interface KeyRecord {
  id: string;
  user_id: string;
  hash: Buffer;
  scopes: string[];
  expires_at: Date | null;
  revoked_at: Date | null;
  readAtMs: number;
}

const KEY_CACHE_MS = 30_000;
const KEY_PATTERN = /^Bearer (service_live_([0-9A-Za-z]{16})_[0-9A-Za-z]{104})$/;
const LIMIT_AN_HOUR = 10_000;
const ROUTE = "/api/v1/nutrition/summary";
const QUERY_SCHEMA = {
  type: "object",
  properties: { date: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" } },
  required: ["date"],
};

const pepper = Buffer.from(process.env["KEY_PEPPER"] ?? "", "base64");
const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"] });
const limiter = await openLimiter();
const days = new DayReader(pool);
const keys = new Map<string, KeyRecord>();

/** In Redis where its address is given, in PostgreSQL otherwise. */
async function openLimiter(): Promise<RateLimiterRedis | RateLimiterPostgres> {
  const limit = { keyPrefix: "key-hour", points: LIMIT_AN_HOUR, duration: 3_600 };
  const { REDIS_URL: redisUrl } = process.env;
  if (redisUrl !== undefined) {
    return new RateLimiterRedis({ ...limit, storeClient: new Redis(redisUrl) });
  }
  const store = { ...limit, storeClient: pool, tableName: "rate_limits" };
  return new Promise((resolve, reject) => {
    const opened = new RateLimiterPostgres(store, (error?: Error) =>
      error ? reject(error) : resolve(opened),
    );
  });
}

async function findKey(publicId: string): Promise<KeyRecord | undefined> {
  const cached = keys.get(publicId);
  if (cached && Date.now() - cached.readAtMs < KEY_CACHE_MS) return cached;
  const { rows } = await pool.query<KeyRecord>({
    name: "find_key",
    text: "select id, user_id, hash, scopes, expires_at, revoked_at from api_keys where public_id = $1",
    values: [publicId],
  });
  const record = rows[0] && { ...rows[0], readAtMs: Date.now() };
  if (record) keys.set(publicId, record);
  return record;
}

async function authenticate(authorization: string | undefined): Promise<KeyRecord | undefined> {
  const [, text = "", publicId = ""] = KEY_PATTERN.exec(authorization ?? "") ?? [];
  if (text === "") return undefined;
  const key = await findKey(publicId);
  if (!key || !timingSafeEqual(createHmac("sha256", pepper).update(text).digest(), key.hash)) {
    return undefined;
  }
  const hasEnded =
    key.revoked_at !== null || (key.expires_at !== null && key.expires_at < new Date());
  return hasEnded || !key.scopes.includes("service.read") ? undefined : key;
}

// One line a request, as the gateway writes.
const app = Fastify({ logger: true, disableRequestLogging: true });
app.addHook("onResponse", async (request, reply) => {
  const { method, routeOptions } = request;
  const facts = { method, route: routeOptions.url, status: reply.statusCode };
  request.log.info({ ...facts, duration_ms: Math.round(reply.elapsedTime * 10) / 10 }, "request");
});

app.get<{ Querystring: { date: string } }>(
  ROUTE,
  { schema: { querystring: QUERY_SCHEMA } },
  async (request, reply) => {
    const key = await authenticate(request.headers.authorization);
    if (!key) return reply.code(401).send({ error: "invalid_api_key", message: "Check the key." });
    try {
      const { remainingPoints, msBeforeNext } = await limiter.consume(key.id);
      reply.header("RateLimit-Limit", LIMIT_AN_HOUR);
      reply.header("RateLimit-Remaining", remainingPoints);
      reply.header("RateLimit-Reset", Math.ceil(msBeforeNext / 1_000));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return reply.code(429).send({ error: "rate_limit_exceeded", message: "Try again later." });
    }
    await pool.query({
      name: "insert_usage",
      text: "insert into usage_events (api_key_id, route) values ($1, $2)",
      values: [key.id, ROUTE],
    });
    return days.read(key.user_id, request.query.date);
  },
);

for (const event of ["SIGTERM", "disconnect"]) process.once(event, () => process.exit());
await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"]) });
