import type { Clock } from "@nutrition/core/clock";
import { newId } from "@nutrition/core/ids";
import type { Logger } from "@nutrition/core/logger";
import type { RequestHandler } from "express";

import { setState } from "./request-state.ts";
import type { RequestState } from "./request-state.ts";

const UNMATCHED_ROUTE = "(none)";

/** First middleware: gives the request its id and logs one line when it has been answered. */
export function beginRequest(logger: Logger, clock: Clock): RequestHandler {
  return (request, response, next) => {
    const state: RequestState = {
      requestId: newId(),
      startedAtMs: clock.monotonicMs(),
      route: UNMATCHED_ROUTE,
    };
    setState(response, state);
    response.setHeader("X-Request-Id", state.requestId);
    response.once("close", () => {
      const facts = {
        request_id: state.requestId,
        method: request.method,
        route: state.route,
        status: response.writableFinished ? response.statusCode : CLIENT_GONE_STATUS,
        duration_ms: Math.round((clock.monotonicMs() - state.startedAtMs) * 10) / 10,
        account_id: state.accountId,
      };
      if (state.error === undefined) logger.info(facts, "request");
      else logger.error({ ...facts, err: state.error }, "request");
    });
    next();
  };
}

/** Logged, never sent: the client hung up before its answer was complete. */
const CLIENT_GONE_STATUS = 499;
