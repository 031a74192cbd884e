import { Router } from "express";

import { allowOnly } from "../http/method-not-allowed.ts";
import type { Readiness } from "./readiness.ts";
import { HttpRefusal } from "../http/refusal.ts";
import { stateOf } from "../http/request-state.ts";
import { sendJson } from "../http/send.ts";

const STOPPING = new HttpRefusal(
  "service_unavailable",
  "This instance is stopping. Send requests to another.",
  { headers: { "Retry-After": "2" } },
);

/**
 * `/healthz` says that the process is alive; `/readyz` says whether it accepts requests. What else the
 * operator wants to know is told at the operations port only.
 */
export function operatingRoutes(readiness: Readiness): Router {
  const router = Router({ caseSensitive: true });
  router
    .route("/healthz")
    .get((_request, response) => {
      stateOf(response).route = "/healthz";
      sendJson(response, '{"status":"ok"}');
    })
    .all(allowOnly("GET, HEAD", "/healthz"));
  router
    .route("/readyz")
    .get((_request, response) => {
      stateOf(response).route = "/readyz";
      if (readiness.isStopping) throw STOPPING;
      sendJson(response, '{"status":"ready"}');
    })
    .all(allowOnly("GET, HEAD", "/readyz"));
  return router;
}
