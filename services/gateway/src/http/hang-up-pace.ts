import type { Clock } from "@nutrition/core/clock";
import { networkOf } from "@nutrition/core/network";
import type { RequestHandler } from "express";

import { CLIENT_GONE_STATUS, UNMATCHED_ROUTE } from "./begin-request.ts";
import type { RequestLog } from "./request-log.ts";
import { WindowCounter } from "./window-counter.ts";

const WINDOW_MS = 1_000;
/** Disconnects of a network per second that cause no delay, because clients cancel and networks fail. */
export const HANG_UPS_AT_ONCE_MAX = 32;
/** Delay of further new connections in that second; a client that hangs up sooner costs little. */
export const HANG_UP_PAUSE_MS = 20;

/**
 * Middleware that delays the first request of each new connection while clients of its network keep
 * disconnecting before their response. A client that disconnects meanwhile causes no work; others are served
 * a moment later. Connections in use are never delayed.
 */
export function paceHangUps(log: RequestLog, clock: Clock): RequestHandler {
  const hangUps = new WindowCounter(WINDOW_MS, clock);
  return (request, response, next) => {
    if (request.socket.bytesWritten > 0) return next();
    const network = networkOf(request.ip ?? "");
    response.once("close", () => {
      if (!response.writableFinished) hangUps.add(network);
    });
    if (hangUps.countOf(network) <= HANG_UPS_AT_ONCE_MAX) return next();
    void clock.sleep(HANG_UP_PAUSE_MS).then(() => {
      if (!response.destroyed) next();
      else log.write({ route: UNMATCHED_ROUTE, status: CLIENT_GONE_STATUS });
    });
  };
}
