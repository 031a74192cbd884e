import { setTimeout as sleep } from "node:timers/promises";

import { connectAssistant } from "../e2e/assistants.ts";
import type { System } from "../e2e/system.ts";

const READERS = 4;
const READ_PAUSE_MS = 120;
const WRITE_PAUSE_MS = 300;
/** Time limits of the objectives, in milliseconds. */
const READ_MS = 300;
const WRITE_MS = 5_000;
const PATHS = [
  "/api/v1/me",
  "/api/v1/nutrition/summary",
  "/api/v1/food-entries",
  "/api/v1/weight-history",
];

/** Names of the objectives' alerts. */
export const READS = ["ReadsObjectiveBurningFast", "ReadsObjectiveBurningSlowly"];
export const WRITES = ["WritesObjectiveBurningFast", "WritesObjectiveBurningSlowly"];

/** Observations of the clients; `bad` requests failed or were slow. */
export class Seen {
  readonly reads = { all: 0, bad: 0 };
  readonly writes = { all: 0, bad: 0 };

  /** The objectives' alerts that may fire, because clients really had late or failed responses. */
  get lateness(): string[] {
    return [...(this.reads.bad > 0 ? READS : []), ...(this.writes.bad > 0 ? WRITES : [])];
  }
}

/** Load until disposed: people who read, and an assistant that reads and logs. */
export async function startLoad(system: System, seen = new Seen()): Promise<AsyncDisposable> {
  const stop = new AbortController();
  const keys = await Promise.all(
    Array.from({ length: READERS }, async () => {
      const email = `${crypto.randomUUID()}@example.com`;
      return (await system.account(email, "--premium")).key;
    }),
  );
  const working = [
    ...keys.map((key) => read(system, { key, seen, signal: stop.signal })),
    write(system, { key: keys[0] ?? "", seen, signal: stop.signal }),
  ];
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(working);
    },
  };
}

interface Client {
  key: string;
  seen: Seen;
  signal: AbortSignal;
}

/** Waits for every response, because disconnecting would hide that it was slow. */
async function read(system: System, { key, seen, signal }: Client): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1) {
    const startedMs = performance.now();
    const path = PATHS[turn % PATHS.length] as string;
    const status = (await system.get(path, key).catch(() => undefined))?.status ?? 599;
    seen.reads.all += 1;
    const isBad = status >= 500 || performance.now() - startedMs > READ_MS;
    if (isBad) seen.reads.bad += 1;
    await sleep(READ_PAUSE_MS);
  }
}

async function write(system: System, { key, seen, signal }: Client): Promise<void> {
  await using assistant = await connected(system, { key, seen, signal });
  if (!assistant) return;
  for (let grams = 1; !signal.aborted; grams += 1) {
    const startedMs = performance.now();
    const args = { food_text: `${grams} g toasted almonds` };
    const result = await assistant.call("log_food", args).catch(() => undefined);
    await assistant.call("get_nutrition_summary", {}).catch(() => undefined);
    seen.writes.all += 1;
    const isBad = !result || result.isError || performance.now() - startedMs > WRITE_MS;
    if (isBad) seen.writes.bad += 1;
    await sleep(WRITE_PAUSE_MS);
  }
}

/** A refused connection counts as a failure, too. Undefined when the load ends first. */
async function connected(system: System, { key, seen, signal }: Client) {
  while (!signal.aborted) {
    const assistant = await connectAssistant(system.baseUrl, key).catch(() => undefined);
    if (assistant) return assistant;
    seen.writes.all += 1;
    seen.writes.bad += 1;
    await sleep(WRITE_PAUSE_MS);
  }
  return undefined;
}
