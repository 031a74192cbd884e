import { setTimeout as sleep } from "node:timers/promises";

import { localUrl, reachableHost, untilListening } from "./ports.ts";
import type { Wiring } from "./wiring.ts";
import type { ServiceName } from "./topology.ts";

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/** Resolves when these services listen and the gateway, if it is one, reports its callees healthy. */
export async function untilReady(
  wiring: Wiring,
  names: readonly ServiceName[],
  signal: AbortSignal,
): Promise<void> {
  const { config, ports, viewerPort } = wiring;
  const host = reachableHost(config.host);
  const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
  const either = AbortSignal.any([signal, timeout]);
  let obstacle: string | undefined = "not all of them listen yet.";
  try {
    await Promise.all([
      ...names.map((name) =>
        untilListening(ports[name] ?? 0, name === "gateway" ? host : "127.0.0.1", either),
      ),
      viewerPort && untilListening(viewerPort, "127.0.0.1", either),
    ]);
    if (!names.includes("gateway")) return;
    for (;;) {
      obstacle = await findObstacle(`${localUrl(config.host, ports.gateway)}/readyz`);
      if (obstacle === undefined) return;
      await sleep(POLL_MS, undefined, { signal: either });
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (!timeout.aborted) throw cause;
    const seconds = START_TIMEOUT_MS / 1_000;
    throw new Error(`The services are not ready after ${seconds} s: ${obstacle}`, { cause });
  }
}

/** What is missing according to the gateway; undefined when it and its backends are ready. */
async function findObstacle(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { headers: { connection: "close" } });
    const text = await response.text();
    return response.ok && isWholeFleetServing(text) ? undefined : text;
  } catch (error) {
    // It may have ended again, which the fleet notices.
    return String(error);
  }
}

/** The gateway itself is ready without its backends; a launcher of all of them waits for all. */
function isWholeFleetServing(details: string): boolean {
  const { backends } = JSON.parse(details) as { backends: Record<string, string> };
  return Object.values(backends).every((state) => state === "serving");
}
