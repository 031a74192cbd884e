import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

import type { Clock } from "@nutrition/core/clock";
import { networkOf } from "@nutrition/core/network";
import { shareConnections } from "@nutrition/service/share-connections";

import { CLIENT_GONE_STATUS, UNMATCHED_ROUTE } from "./begin-request.ts";
import { Pace } from "./pace.ts";
import type { RequestLog } from "./request-log.ts";

export const CONNECTIONS_MAX = 10_000;
export const CONNECTIONS_PER_NETWORK_MAX = 1_000;
/**
 * For connections that end for nothing: without a request, unanswered, or to make room for others of their network.
 * Many are free, because clients cancel and networks fail. Most that will disconnect have done so after a pause.
 */
export const CONNECTION_PACE = { freePerSecond: 32, pauseMs: 20, perPause: 8 };
/** A waiting connection is not read beyond this. */
const HELD_BYTES_MAX = 16_384;

type Serve = (this: Server, socket: Socket) => void;

export interface ConnectionOptions {
  /** Whether clients connect through proxies. A proxy's connections are those of many networks, so it has no share. */
  readonly isProxied: boolean;
  readonly clock: Clock;
  readonly log: RequestLog;
}

/**
 * Shares out connections by network (`Places`). New ones of a network that keeps ending them for nothing wait their
 * turn (`Pace`), unparsed, because a request and its response cost several times as much as their connection.
 * Connections in use never wait.
 */
export function admitConnections(
  server: Server,
  { isProxied, clock, log }: ConnectionOptions,
): void {
  if (isProxied) return shareConnections(server, { max: CONNECTIONS_MAX });
  const pace = new Pace(CONNECTION_PACE, clock);
  const hasAsked = new WeakSet<Socket>();
  server.on("request", ({ socket }: IncomingMessage) => hasAsked.add(socket));
  // Node's own listener, which begins to parse.
  const [serve] = server.listeners("connection") as [Serve];
  server.off("connection", serve);
  server.on("connection", (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? "");
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const turn = pace.turn(network, closed);
    void closed.then(() => {
      if (socket.bytesWritten === 0 || !hasAsked.has(socket)) pace.add(network);
    });
    if (!turn) return serve.call(server, socket);
    const giveBack = hold(socket);
    void turn.then(() => {
      if (socket.destroyed)
        return log.write({ route: UNMATCHED_ROUTE, status: CLIENT_GONE_STATUS });
      giveBack();
      serve.call(server, socket);
      socket.resume();
    });
  });
  const shares = { max: CONNECTIONS_MAX, maxPerNetwork: CONNECTIONS_PER_NETWORK_MAX };
  shareConnections(server, shares, (network) => pace.add(network));
}

/**
 * Reads what arrives, because a client's disconnect is seen only behind it, and closes the socket then. Returns
 * a function that pauses the socket and puts everything back.
 */
function hold(socket: Socket): () => void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const keep = (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= HELD_BYTES_MAX) socket.pause();
  };
  const close = () => void socket.destroy();
  socket.on("data", keep).on("end", close).on("error", close);
  return () => {
    socket.pause().off("data", keep).off("end", close).off("error", close);
    if (bytes > 0) socket.unshift(Buffer.concat(chunks));
  };
}
