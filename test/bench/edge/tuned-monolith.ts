// The peer that shows what separate services cost: one program that counts, verifies keys and reads
// days with the services' own code, without a call between processes.
import type { ApiKey } from "@nutrition/core/api-key";
import { parseApiKey } from "@nutrition/core/api-key";
import { systemClock } from "@nutrition/core/clock";
import { KeyVerifier } from "@nutrition/core/key-signing";
import { silentLogger } from "@nutrition/core/logger";
import { AccountMemory } from "@nutrition/limits/decisions/account-memory";
import { SteadyTime } from "@nutrition/limits/domain/steady-time";
import { Batcher } from "@nutrition/limits/decisions/batcher";
import { PolicySet } from "@nutrition/limits/domain/policy";
import { keySubject } from "@nutrition/limits/domain/usage";
import type { LimitRequest } from "@nutrition/limits/domain/usage";
import { decideBatch } from "@nutrition/limits/operations/decide-batch";
import { Database } from "@nutrition/postgres/database";
import { newId } from "@nutrition/core/ids";
import { repeat } from "@nutrition/service/repeat";
import Fastify from "fastify";

import { Peppers } from "../../../services/auth/src/domain/pepper.ts";
import { listChangedKeys } from "../../../services/auth/src/store/changed-key-store.ts";
import type { KeyCredential } from "../../../services/auth/src/store/credential-store.ts";
import { KeyReader } from "../../../services/auth/src/store/key-reader.ts";
import { ChangedKeys } from "../../../services/gateway/src/access/changed-keys.ts";
import { SummaryReader } from "../../../services/journal/src/store/summary-reader.ts";

const KEY_CACHE_MS = 4_000;
const CHANGED_KEYS_PER_PAGE = 10_000;
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

const { DATABASE_URL: url = "", KEY_PEPPER_VERSION, PORT } = process.env;
const version = Number(KEY_PEPPER_VERSION);
const secretFrom = (text = "") => new Map([[version, Buffer.from(text, "base64")]]);
const peppers = new Peppers(secretFrom(process.env["KEY_PEPPER"]), version);
const verifier = new KeyVerifier(secretFrom(process.env["KEY_SIGNING_SECRET"]));
const pool = (schema: string) => ({ url, schema, keptPlans: true, maxConnections: 2 });
const auth = new Database(pool("auth"));
const keyReader = new KeyReader(auth);
const changed = new ChangedKeys(
  { listChangedKeys: (cursor) => listChangedKeys(auth, cursor, CHANGED_KEYS_PER_PAGE) },
  systemClock,
  silentLogger,
);
repeat(() => changed.read(), {
  name: "changed keys",
  pauseMs: 1_000,
  clock: systemClock,
  logger: silentLogger,
});
const summaries = new SummaryReader(new Database(pool("journal")));
const counts = new Database({ ...pool("limits"), pipelined: true });
const known = new AccountMemory();
const time = new SteadyTime(systemClock);
const batcher = new Batcher(async (limitRequests) => {
  const options = { policies: POLICIES, holdMs: 60_000, time, known };
  return (await decideBatch(counts, limitRequests, options)).decisions;
}, QUEUE_MAX);
const keys = new Map<string, { key: KeyCredential; readAtMs: number }>();

/** The part of a key that counting and reading need. */
type KeyOwner = Pick<KeyCredential, "id" | "accountId">;

async function authenticate(authorization: string | undefined): Promise<KeyOwner | undefined> {
  const presented = parseApiKey(authorization?.replace(/^Bearer /, "") ?? "");
  const claims = presented && verifier.verify(presented);
  if (!presented) return undefined;
  // The keys of the benchmark do not expire.
  if (claims && changed.isUnchanged(claims.keyId, claims.accountId)) {
    return { id: claims.keyId, accountId: claims.accountId };
  }
  return lookUp(presented);
}

async function lookUp({ publicId, text }: ApiKey): Promise<KeyOwner | undefined> {
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

function requestOf({ id, accountId }: KeyOwner): LimitRequest {
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
