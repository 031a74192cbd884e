import { networkOf } from "@nutrition/core/network";
import type { RequestHandler } from "express";

import { CLIENT_GONE_STATUS, UNMATCHED_ROUTE } from "./begin-request.ts";
import type { HangUpPace } from "./hang-up-pace.ts";
import type { RequestLog } from "./request-log.ts";

/**
 * Middleware for gateways behind a proxy, which see the client's network only in the request: paces the first
 * request of each new connection. Connections in use are never delayed.
 */
export function paceRequests(pace: HangUpPace, log: RequestLog): RequestHandler {
  return (request, response, next) => {
    if (request.socket.bytesWritten > 0) return next();
    const network = networkOf(request.ip ?? "");
    response.once("close", () => {
      if (!response.writableFinished) pace.add(network);
    });
    if (!pace.isSlowed(network)) return next();
    void pace.turn(network, response).then((isOpen) => {
      if (isOpen) next();
      else log.write({ route: UNMATCHED_ROUTE, status: CLIENT_GONE_STATUS });
    });
  };
}
