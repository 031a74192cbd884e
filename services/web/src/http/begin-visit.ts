import { randomBytes } from "node:crypto";

import type { Clock } from "@nutrition/core/clock";
import { newId } from "@nutrition/core/ids";
import type { Logger } from "@nutrition/core/logger";
import { EdgeRequest } from "@nutrition/telemetry/tracing/edge";
import { untilClosed } from "@nutrition/service/until-closed";
import type { RequestHandler } from "express";

import { preferredLocale } from "../domain/locale.ts";
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
      closed: untilClosed(response),
      nonce: randomBytes(NONCE_BYTES).toString("base64"),
      locale: preferredLocale(request.get("accept-language") ?? ""),
      csrfToken: csrf.tokenFor(request, response),
      route: UNMATCHED_ROUTE,
      notices: [],
    };
    setVisit(response, visit);
    const edge = new EdgeRequest({
      method: request.method,
      requestClass: "page",
      traceparent: request.get("traceparent"),
      // Only the gateway connects here, and it passes on no foreign trace context.
      isTrusted: true,
    });
    void visit.closed.then(() => {
      const { route } = visit;
      const status = response.statusCode;
      const facts = {
        request_id: visit.requestId,
        trace_id: edge.end({ route, status }),
        method: request.method,
        route,
        status,
        duration_ms: Math.round((clock.monotonicMs() - visit.startedAtMs) * 10) / 10,
        reason: visit.reason,
        account_id: visit.person?.user.accountId,
      };
      if (visit.error === undefined) logger.info(facts, "visit");
      else logger.error({ ...facts, err: visit.error }, "visit");
    });
    edge.run(next);
  };
}
