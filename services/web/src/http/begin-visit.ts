import { randomBytes } from "node:crypto";

import type { Clock } from "@nutrition/core/clock";
import { newId } from "@nutrition/core/ids";
import type { Logger } from "@nutrition/core/logger";
import type { RequestHandler } from "express";

import type { CsrfTokens } from "./csrf.ts";
import { setVisit } from "./visit.ts";
import type { Visit } from "./visit.ts";

const NONCE_BYTES = 18;
const REQUEST_ID = /^[0-9a-f-]{36}$/;
const UNMATCHED_ROUTE = "(none)";

/** First middleware: begins the visit and logs one line when it has been answered. */
export function beginVisit(logger: Logger, clock: Clock, csrf: CsrfTokens): RequestHandler {
  return (request, response, next) => {
    const given = request.get("x-request-id") ?? "";
    const visit: Visit = {
      requestId: REQUEST_ID.test(given) ? given : newId(),
      startedAtMs: clock.monotonicMs(),
      nonce: randomBytes(NONCE_BYTES).toString("base64"),
      csrfToken: csrf.tokenFor(request, response),
      route: UNMATCHED_ROUTE,
    };
    setVisit(response, visit);
    response.once("close", () => {
      const facts = {
        request_id: visit.requestId,
        method: request.method,
        route: visit.route,
        status: response.statusCode,
        duration_ms: Math.round((clock.monotonicMs() - visit.startedAtMs) * 10) / 10,
        account_id: visit.person?.user.accountId,
      };
      if (visit.error === undefined) logger.info(facts, "visit");
      else logger.error({ ...facts, err: visit.error }, "visit");
    });
    next();
  };
}
