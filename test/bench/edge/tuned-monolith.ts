// The peer that shows what separate services cost: one program that counts, looks keys up and reads
// days with the services' own code, without a call between processes.
import { parseApiKey } from "@nutrition/core/api-key";
import { systemClock } from "@nutrition/core/clock";
import { AccountMemory } from "@nutrition/limits/decisions/account-memory";
import { Batcher } from "@nutrition/limits/decisions/batcher";
import { PolicySet } from "@nutrition/limits/domain/policy";
import { keySubject } from "@nutrition/limits/domain/usage";
import type { LimitRequest } from "@nutrition/limits/domain/usage";
import { decideBatch } from "@nutrition/limits/operations/decide-batch";
import { Database } from "@nutrition/postgres/database";
import { newId } from "@nutrition/core/ids";
import Fastify from "fastify";

import { Peppers } from "../../../services/auth/src/domain/pepper.ts";
import type { KeyCredential } from "../../../services/auth/src/store/credential-store.ts";
import { KeyReader } from "../../../services/auth/src/store/key-reader.ts";
import { SummaryReader } from "../../../services/journal/src/store/summary-reader.ts";

const KEY_CACHE_MS = 4_000;
const QUEUE_MAX = 4_096;
const LIMIT_AN_HOUR = 10_000;
const POLICIES = new PolicySet(
  "bench",
  (["api_key_requests", "requests"] as const).map((counts) => ({
    name: counts,
    counts,
    eachJournalDate: false,
    max: LIMIT_AN_HOUR,
    windowSeconds: 3_600,
  })),
  [],
);
const ROUTE = "/api/v1/nutrition/summary";
const QUERY_SCHEMA = {
  type: "object",
  properties: { date: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" } },
  required: ["date"],
};

const { DATABASE_URL: url = "", KEY_PEPPER = "", KEY_PEPPER_VERSION, PORT } = process.env;
const version = Number(KEY_PEPPER_VERSION);
const peppers = new Peppers(new Map([[version, Buffer.from(KEY_PEPPER, "base64")]]), version);
const pool = (schema: string) => ({ url, schema, keptPlans: true, maxConnections: 2 });
const keyReader = new KeyReader(new Database(pool("auth")));
const summaries = new SummaryReader(new Database(pool("journal")));
const counts = new Database({ ...pool("limits"), pipelined: true });
const known = new AccountMemory();
const batcher = new Batcher(async (limitRequests) => {
  const options = { policies: POLICIES, holdMs: 60_000, known };
  return (await decideBatch(counts, limitRequests, options)).decisions;
}, QUEUE_MAX);
const keys = new Map<string, { key: KeyCredential; readAtMs: number }>();

async function authenticate(authorization: string | undefined): Promise<KeyCredential | undefined> {
  const presented = parseApiKey(authorization?.replace(/^Bearer /, "") ?? "");
  if (!presented) return undefined;
  const { publicId, text } = presented;
  let cached = keys.get(publicId);
  if (!cached || Date.now() - cached.readAtMs > KEY_CACHE_MS) {
    const key = await keyReader.find(publicId);
    if (!key) return undefined;
    cached = { key, readAtMs: Date.now() };
    keys.set(publicId, cached);
  }
  const { key } = cached;
  const mayRead = key.state === "active" && key.scopes.includes("service.read");
  return mayRead && peppers.matches(text, key) ? key : undefined;
}

function requestOf({ id, accountId }: KeyCredential): LimitRequest {
  const asked = { subject: keySubject(id), subjectKind: "api_key", kind: "request" } as const;
  const nothing = { lines: 0, journalDate: null, reservationId: null };
  return { ...asked, ...nothing, cost: 1, accountId, credentialId: id, requestId: newId() };
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
    const { accountId } = key;
    const [decision, { json }] = await Promise.all([
      batcher.decide(requestOf(key)),
      summaries.get({ accountId, date: request.query.date, now: systemClock.now() }),
    ]);
    const [{ max, remaining, resetMs } = { max: 0, remaining: 0, resetMs: 0 }] = decision.policies;
    reply.header("RateLimit-Limit", max);
    reply.header("RateLimit-Remaining", remaining);
    reply.header("RateLimit-Reset", Math.ceil(resetMs / 1_000));
    if (!decision.allowed) {
      return reply.code(429).send({ error: "rate_limit_exceeded", message: "Try again later." });
    }
    return reply.type("application/json").send(json);
  },
);

for (const event of ["SIGTERM", "disconnect"]) process.once(event, () => process.exit());
await app.listen({ host: "127.0.0.1", port: Number(PORT) });
