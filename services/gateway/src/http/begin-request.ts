import type { Clock } from "@nutrition/core/clock";
import { newId } from "@nutrition/core/ids";
import { EdgeRequest } from "@nutrition/telemetry/tracing/edge";
import type { RequestClass } from "@nutrition/telemetry/tracing/edge";
import type { RequestHandler } from "express";

import type { RequestLog } from "./request-log.ts";
import { setState } from "./request-state.ts";
import type { RequestState } from "./request-state.ts";

/** Logged for requests that reached no route. */
export const UNMATCHED_ROUTE = "(none)";
/** Logged, never sent: the client disconnected before its response was complete. */
export const CLIENT_GONE_STATUS = 499;
/**
 * Request ids that clients may send. They are returned and logged, but counting and audit records use our own
 * id, which clients cannot reuse.
 */
const CLIENT_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** First middleware: assigns the request id, and logs the request once it has been answered. */
export function beginRequest(log: RequestLog, clock: Clock): RequestHandler {
  return (request, response, next) => {
    const state: RequestState = {
      requestId: newId(),
      startedAtMs: clock.monotonicMs(),
      route: UNMATCHED_ROUTE,
    };
    const given = request.get("x-request-id") ?? "";
    const clientRequestId = CLIENT_ID.test(given) ? given : undefined;
    setState(response, state);
    const edge = new EdgeRequest({
      method: request.method,
      requestClass: classOf(request.path),
      traceparent: request.get("traceparent"),
    });
    response.setHeader("X-Request-Id", clientRequestId ?? state.requestId);
    response.once("close", () => {
      const { route } = state;
      const status = response.writableFinished ? response.statusCode : CLIENT_GONE_STATUS;
      const facts = {
        request_id: state.requestId,
        client_request_id: clientRequestId,
        trace_id: edge.end({ route, status, errorType: state.reason }),
        method: request.method,
        route,
        status,
        duration_ms: Math.round((clock.monotonicMs() - state.startedAtMs) * 10) / 10,
        mcp: state.mcp,
        reason: state.reason,
        account_id: state.accountId,
      };
      log.write(facts, state.error);
    });
    edge.run(next);
  };
}

function classOf(path: string): RequestClass {
  if (path.startsWith("/api/")) return "read";
  return path === "/mcp" ? "mcp" : "page";
}
