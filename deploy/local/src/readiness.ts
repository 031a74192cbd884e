import { setTimeout as sleep } from "node:timers/promises";

import { OperationsService } from "@nutrition/proto/nutrition/operations/v1/operations_pb";
import { createClient } from "@nutrition/rpc/client";
import { IdentityIssuer } from "@nutrition/rpc/identity";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";

import { operatorKey } from "./operator.ts";
import { reachableHost, untilListening } from "./ports.ts";
import { addressOf } from "./services.ts";
import type { Wiring } from "./wiring.ts";
import { OPERATOR } from "./topology.ts";
import type { ServiceName } from "./topology.ts";

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;
/** A gateway takes a second when a service does not answer it. */
const INSPECT_TIMEOUT_MS = 2_000;

/**
 * Resolves when these services listen and the gateway, if it is among them, reaches the services
 * that it calls.
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
    using gateway = connectGateway(wiring);
    for (;;) {
      obstacle = await findObstacle(gateway, either);
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

/** What the gateway still lacks; undefined when it reaches all services that it calls. */
async function findObstacle(
  { inspect }: ReturnType<typeof connectGateway>,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { backends } = await inspect({}, { timeoutMs: INSPECT_TIMEOUT_MS, signal });
    const silent = backends.filter(({ serving }) => !serving).map(({ name }) => name);
    if (silent.length === 0) return undefined;
    return `the gateway does not reach ${silent.join(", ")} yet.`;
  } catch (error) {
    // The gateway may have exited again; the fleet notices that.
    return `the gateway does not respond (${String(error)}).`;
  }
}

function connectGateway({ operatorPorts, secrets }: Wiring) {
  const issuer = new IdentityIssuer({ service: OPERATOR, privateKey: operatorKey(secrets) });
  const address = addressOf(operatorPorts?.gateway ?? 0);
  const transport = new UnaryTransport({ service: "gateway", address, issuer });
  const { inspect } = createClient(OperationsService, transport);
  return { inspect, [Symbol.dispose]: () => transport.close() };
}
