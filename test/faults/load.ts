import { setTimeout as sleep } from "node:timers/promises";

import type { Assistant } from "../e2e/assistants.ts";
import type { System } from "../e2e/system.ts";

/** Pause of a client after a failed request. */
const PAUSE_MS = 50;
const REQUEST_TIMEOUT_MS = 5_000;
/** Answered reads that show that the services have recovered: more than were in progress. */
const RECOVERED_READS = 10;
const RECOVERY_MOST_MS = 20_000;

/** Observations of the clients. */
export class Seen {
  /** X-Request-Id of each successful read. */
  readonly answered: string[] = [];
  refused = 0;
  /** Requests that failed on our side or got no response. */
  failed = 0;
  writes = 0;
}

/** Reads continuously with a key until the signal aborts. */
export async function readOn(
  { baseUrl }: System,
  { key, seen, stop }: { key: string; seen: Seen; stop: AbortSignal },
): Promise<void> {
  while (!stop.aborted) {
    const response = await get(baseUrl, key);
    if (response?.status === 200) seen.answered.push(response.requestId);
    else if (response?.status === 429) seen.refused += 1;
    else seen.failed += 1;
    if (response?.status !== 200) await sleep(PAUSE_MS);
  }
}

/** The status and request id of a complete response; undefined if there was none. */
async function get(baseUrl: string, key: string) {
  try {
    const response = await fetch(`${baseUrl}/api/v1/me`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    await response.arrayBuffer();
    return { status: response.status, requestId: response.headers.get("x-request-id") ?? "" };
  } catch {
    return undefined;
  }
}

/** Resolves when the services have answered further reads, or after 20 seconds without them. */
export async function untilAnswered({ answered }: Seen): Promise<void> {
  const enough = answered.length + RECOVERED_READS;
  const latestMs = performance.now() + RECOVERY_MOST_MS;
  while (answered.length < enough && performance.now() < latestMs) await sleep(PAUSE_MS);
}

/** Logs food continuously until the signal aborts. */
export async function writeOn(assistant: Assistant, seen: Seen, stop: AbortSignal): Promise<void> {
  for (let count = 1; !stop.aborted; count += 1) {
    const logging = assistant.call("log_food", { food_text: `${count} g almonds` });
    const result = await Promise.race([logging, sleep(REQUEST_TIMEOUT_MS)]).catch(() => undefined);
    if (result && !result.isError) seen.writes += 1;
    else await sleep(PAUSE_MS);
  }
}
