import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** Time that requests in flight have to finish. */
const DRAIN_MAX_MS = 20_000;
/** Interval at which connections are checked meanwhile. */
const SWEEP_MS = 50;

/**
 * Drains connections for at most `leaveMs`: still answers every request, and makes it the last one
 * of its connection. Then accepts no new connections, lets requests in flight finish and closes the
 * rest.
 */
export async function drain(server: Server, leaveMs: number): Promise<void> {
  if (leaveMs > 0) await untilClientsLeft(server, leaveMs);
  await close(server);
}

async function untilClientsLeft(server: Server, leaveMs: number): Promise<void> {
  server.prependListener("request", (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  const countConnections = promisify(server.getConnections.bind(server));
  const deadline = performance.now() + leaveMs;
  while (performance.now() < deadline && (await countConnections()) > 0) await sleep(SWEEP_MS);
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const force = setTimeout(() => server.closeAllConnections(), DRAIN_MAX_MS);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(force);
      resolve();
    });
  });
}
