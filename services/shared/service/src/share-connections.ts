import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

import { networkOf } from "@nutrition/core/network";
import type { Place } from "@nutrition/core/places";
import { Places } from "@nutrition/core/places";

export interface ConnectionShares {
  /** Connections in all. */
  readonly max: number;
  /** Connections from one network. Without it, networks have no share: proxies carry the connections of many. */
  readonly maxPerNetwork?: number | undefined;
}

/**
 * Bounds the connections of a server. `maxConnections` would refuse newcomers, whoever holds the connections; here,
 * the longest idle connection of the network with the most is closed instead. A connection is idle since its last
 * request began or was answered. `onClosed` is called with the network whose connection made room.
 */
export function shareConnections(
  server: Server,
  { max, maxPerNetwork }: ConnectionShares,
  onClosed: (network: string) => void = () => {},
): void {
  const places = new Places({ max, maxPerKey: maxPerNetwork });
  const open = new WeakMap<Socket, Place>();
  server.on("connection", (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? "");
    const place = places.enter(network, () => {
      socket.destroy();
      onClosed(network);
    });
    open.set(socket, place);
    socket.once("close", place.leave);
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const place = open.get(socket);
    place?.touch();
    response.once("close", () => place?.touch());
  });
}
