// Child process that makes the requests of ordinary people at their times.
import { setTimeout as sleep } from "node:timers/promises";

import { Pool } from "undici";

import { serveOrders } from "../worker-process.ts";
import type { Answer, Arrival, PeopleOrder } from "./people.ts";

// More than there are ever requests at once, so that none waits for another's connection here.
const CONNECTIONS_MAX = 1_024;
const ANSWER_TIMEOUT_MS = 10_000;
/** How a tool reports an error, with status 200. */
const TOOL_ERROR = '"isError":true';

/** People's clients keep their connections from one phase to the next, as hosted connectors do. */
const pools = new Map<string, Pool>();

function poolOf(baseUrl: string): Pool {
  const known = pools.get(baseUrl);
  if (known) return known;
  const pool = new Pool(baseUrl, {
    connections: CONNECTIONS_MAX,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
  });
  pools.set(baseUrl, pool);
  return pool;
}

async function run({ baseUrl, arrivals }: PeopleOrder): Promise<Answer[]> {
  const pool = poolOf(baseUrl);
  const startedMs = performance.now();
  const answers = arrivals.map(async (arrival): Promise<Answer> => {
    const meantMs = startedMs + arrival.atMs;
    await sleep(Math.max(0, meantMs - performance.now()));
    const outcome = await ask(pool, arrival).catch(() => "no answer");
    return { kind: arrival.kind, ms: performance.now() - meantMs, outcome };
  });
  return Promise.all(answers);
}

async function ask(pool: Pool, { path, headers, body }: Arrival): Promise<string> {
  const method = body === undefined ? "GET" : "POST";
  const answer = await pool.request({ method, path, headers, body: body ?? null });
  const text = await answer.body.text();
  if (answer.statusCode === 200 && text.includes(TOOL_ERROR)) return "tool error";
  return String(answer.statusCode);
}

serveOrders(run);
