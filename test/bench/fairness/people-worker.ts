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

/** Kept from one phase to the next, as hosted connectors keep their connections. */
let connections: Pool | undefined;

async function run({ baseUrl, arrivals }: PeopleOrder): Promise<Answer[]> {
  const pool = (connections ??= new Pool(baseUrl, {
    connections: CONNECTIONS_MAX,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
  }));
  const startedMs = performance.now();
  const answers = arrivals.map(async (arrival): Promise<Answer> => {
    const meantMs = startedMs + arrival.atMs;
    await sleep(Math.max(0, meantMs - performance.now()));
    const outcome = await ask(pool, arrival).catch(() => "no answer");
    return { kind: arrival.kind, ms: performance.now() - meantMs, outcome };
  });
  return Promise.all(answers);
}

async function ask(pool: Pool, { kind, path, headers, body }: Arrival): Promise<string> {
  const method = body === undefined ? "GET" : "POST";
  // Browsers come on new connections.
  const reset = kind === "page";
  const answer = await pool.request({ method, path, headers, body: body ?? null, reset });
  const text = await answer.body.text();
  if (answer.statusCode === 200 && text.includes(TOOL_ERROR)) return "tool error";
  return String(answer.statusCode);
}

serveOrders(run);
