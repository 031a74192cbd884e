import type { Server } from "node:http";

/** Time that requests in flight have to finish. */
const DRAIN_MAX_MS = 20_000;
/** How often connections that became idle are closed meanwhile. */
const SWEEP_MS = 50;

/** Takes no new connections, lets requests in flight finish, then closes what is left. */
export function drain(server: Server): Promise<void> {
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
