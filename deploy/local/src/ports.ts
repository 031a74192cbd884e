import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const LOOPBACK = "127.0.0.1";
const PORTS_TRIED = 50;
const POLL_MS = 20;

/** The port asked for, or the first to try, and the address to listen on. */
interface PublicAddress {
  port: { first: number; isFixed: boolean };
  host: string;
}

/**
 * The public port: the one asked for, else the first free one from the default on. `kept` is for
 * somebody else; only who asks for it gets it.
 */
export async function choosePublicPort(
  { port, host }: PublicAddress,
  kept?: number,
): Promise<number> {
  const last = port.isFixed ? port.first : Math.min(port.first + PORTS_TRIED, 65_535);
  for (let candidate = port.first; candidate <= last; candidate += 1) {
    if (candidate === kept && !port.isFixed) continue;
    if (await isFree(candidate, host)) return candidate;
  }
  throw new Error(
    port.isFixed
      ? `Port ${port.first} of ${host} cannot be used: another program has it, or this account may not. Choose another with PORT.`
      : `No port from ${port.first} to ${last} of ${host} is free. Choose one with PORT.`,
  );
}

/** Where a program of this machine reaches a server that listens on `host`. */
export function reachableHost(host: string): string {
  return host === "0.0.0.0" || host === "::" ? LOOPBACK : host;
}

/** The address at which a program of this machine reaches an HTTP server. */
export function localUrl(host: string, port: number): string {
  const name = reachableHost(host);
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Whether a server could listen on the port. */
async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, host), "listening");
  } catch {
    return false;
  }
  await once(server.close(), "close");
  return true;
}

/** Different free ports of the loopback address. Nobody holds them: bind them soon. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, LOOPBACK));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}

/** Resolves when something accepts connections there; rejects when the signal aborts. */
export async function untilListening(
  port: number,
  host: string,
  signal: AbortSignal,
): Promise<void> {
  while (!(await accepts(port, host))) await sleep(POLL_MS, undefined, { signal });
}

async function accepts(port: number, host: string): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
