import type { Server } from "node:http";
import type { Socket } from "node:net";

import { networkOf } from "@nutrition/core/network";

import { CLIENT_GONE_STATUS, UNMATCHED_ROUTE } from "./begin-request.ts";
import type { HangUpPace } from "./hang-up-pace.ts";
import type { RequestLog } from "./request-log.ts";

/** A waiting connection is not read beyond this. */
const HELD_BYTES_MAX = 16_384;

type Serve = (this: Server, socket: Socket) => void;

/**
 * Paces new connections of clients that connect without a proxy, before anything is parsed: a request and its
 * response cost several times as much as their connection. Connections in use are never delayed.
 */
export function paceConnections(server: Server, pace: HangUpPace, log: RequestLog): void {
  // Node's own listener, which begins to parse.
  const [serve] = server.listeners("connection") as [Serve];
  server.off("connection", serve);
  server.on("connection", (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? "");
    socket.once("close", () => {
      if (socket.bytesWritten === 0) pace.add(network);
    });
    if (!pace.isSlowed(network)) return serve.call(server, socket);
    const giveBack = hold(socket);
    void pace.turn(network, socket).then((isOpen) => {
      if (!isOpen) return log.write({ route: UNMATCHED_ROUTE, status: CLIENT_GONE_STATUS });
      giveBack();
      serve.call(server, socket);
      socket.resume();
    });
  });
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
