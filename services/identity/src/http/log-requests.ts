import { newId } from "@nutrition/core/ids";
import { moduleLogger } from "@nutrition/core/logger";
import type { Request, RequestHandler, Response } from "express";

import type { Provider } from "../provider.ts";

/** Outcome of a request, besides its status. */
export interface Outcome {
  /** Code of the error in the response. */
  reason?: string;
  /** The error on our side. */
  error?: unknown;
}

const UNMATCHED_ROUTE = "(none)";
const outcomes = new WeakMap<Response, Outcome>();

/** Facts to log about the request of a response. */
export function outcomeOf(response: Response): Outcome {
  const outcome = outcomes.get(response) ?? {};
  outcomes.set(response, outcome);
  return outcome;
}

/** First middleware: writes one line per request once it has been answered. */
export function logRequests({ logger, clock }: Provider): RequestHandler {
  const log = moduleLogger(logger, "requests");
  return (request, response, next) => {
    const startedAtMs = clock.monotonicMs();
    response.once("close", () => {
      const { reason, error } = outcomeOf(response);
      const facts = {
        request_id: newId(),
        method: request.method,
        route: routeOf(request),
        status: response.statusCode,
        duration_ms: Math.round((clock.monotonicMs() - startedAtMs) * 10) / 10,
        reason,
      };
      if (error === undefined) log.info(facts, "request");
      else log.error({ ...facts, err: error }, "request");
    });
    next();
  };
}

/** Path pattern; the requested path could contain anything. */
function routeOf({ route }: Request): string {
  const path = (route as { path: unknown } | undefined)?.path;
  return path === undefined ? UNMATCHED_ROUTE : String(path);
}
