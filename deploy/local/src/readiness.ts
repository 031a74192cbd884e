import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

import { get } from "@nutrition/core/node-http";

import { localUrl, reachableHost, untilListening } from "./ports.ts";
import type { Wiring } from "./wiring.ts";
import type { ServiceName } from "./topology.ts";

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/**
 * Resolves when these services listen and the gateway, if it is among them, reports its backends
 * healthy.
 */
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
      obstacle = await findObstacle(`${localUrl(config.host, ports.gateway)}/readyz`, either);
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

/** The obstacle that the gateway reports; undefined when it and its backends are ready. */
async function findObstacle(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const request = get(url, { agent: false, signal });
    // Without a listener, a connection reset during the response would end the launcher.
    request.on("error", () => undefined);
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const details = await text(response);
    return response.statusCode === 200 && isWholeFleetServing(details) ? undefined : details;
  } catch (error) {
    // The gateway may have exited again; the fleet notices that.
    return String(error);
  }
}

/** The gateway is ready without its backends, but the launcher waits for all of them. */
function isWholeFleetServing(details: string): boolean {
  const { backends } = JSON.parse(details) as { backends: Record<string, string> };
  return Object.values(backends).every((state) => state === "serving");
}
