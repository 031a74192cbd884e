import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { claimPort } from "./port-claims.ts";

const LOOPBACK = "127.0.0.1";
const PORTS_TRIED = 50;
const STARTS_TRIED = 5;
// The ephemeral range begins at 32,768 on Linux and at 49,152 elsewhere; most well-known ports are
// below this range.
const CHOSEN_FROM = 20_000;
const CHOSEN_BELOW = 32_768;
const POLL_MS = 20;

/** The requested port, or the first to try, and the address to listen on. */
interface PublicAddress {
  port: { first: number; isFixed: boolean };
  host: string;
}

/** The public port: the requested one, otherwise the first free one from the default on. */
export async function choosePublicPort({ port, host }: PublicAddress): Promise<number> {
  const last = port.isFixed ? port.first : Math.min(port.first + PORTS_TRIED, 65_535);
  for (let candidate = port.first; candidate <= last; candidate += 1) {
    if (await isFree(candidate, host)) return candidate;
  }
  throw new Error(
    port.isFixed
      ? `Port ${port.first} of ${host} cannot be used: another program has it, or this account may not. Choose another with PORT.`
      : `No port from ${port.first} to ${last} of ${host} is free. Choose one with PORT.`,
  );
}

/** Whether a start failed because another program has taken a port since it was chosen. */
export function isPortTaken(error: unknown): boolean {
  // The messages of Node, gRPC and PostgreSQL.
  return error instanceof Error && /EADDRINUSE|address already in use/i.test(error.message);
}

/** Address at which programs on this machine reach a server that listens on `host`. */
export function reachableHost(host: string): string {
  return host === "0.0.0.0" || host === "::" ? LOOPBACK : host;
}

/** URL at which programs on this machine reach an HTTP server. */
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

/**
 * Distinct free ports of the loopback address, claimed so that no other launcher or test on this
 * machine chooses them too. They are below the system's ephemeral range, which is used for outgoing
 * connections.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  for (let tried = 0; tried < count * PORTS_TRIED && found.size < count; tried += 1) {
    const port = randomInt(CHOSEN_FROM, CHOSEN_BELOW);
    if (claimPort(port) && (await isFree(port, LOOPBACK))) found.add(port);
  }
  if (found.size === count) return [...found];
  throw new Error(`Too few ports from ${CHOSEN_FROM} to ${CHOSEN_BELOW} of ${LOOPBACK} are free.`);
}

/** The first of `count` consecutive free ports of the loopback address, from the same range. */
export async function findFreePortRange(count: number): Promise<number> {
  for (let tried = 0; tried < PORTS_TRIED; tried += 1) {
    const first = randomInt(CHOSEN_FROM, CHOSEN_BELOW - count);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const free = await Promise.all(
      ports.map(async (port) => claimPort(port) && isFree(port, LOOPBACK)),
    );
    if (free.every(Boolean)) return first;
  }
  throw new Error(`No ${count} consecutive ports of ${LOOPBACK} are free.`);
}

/** Starts something on a free port, and tries another if that has been taken in the meantime. */
export async function onFreePort<Started>(
  start: (port: number) => Promise<Started>,
): Promise<Started> {
  for (let attempt = 1; ; attempt += 1) {
    const [port = 0] = await findFreePorts(1);
    try {
      return await start(port);
    } catch (error) {
      if (attempt === STARTS_TRIED || (await isFree(port, LOOPBACK))) throw error;
    }
  }
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
