import { Router } from "express";

import { allowOnly } from "../http/method-not-allowed.ts";
import type { ProxyCheck } from "../http/proxy-check.ts";
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
 * `/healthz` says that the process is alive; `/readyz` says whether it accepts requests, with
 * details.
 */
export function operatingRoutes(readiness: Readiness, proxyCheck: ProxyCheck): Router {
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
      const details = readiness.check(proxyCheck.warnings);
      if (!details) throw STOPPING;
      sendJson(response, JSON.stringify(details));
    })
    .all(allowOnly("GET, HEAD", "/readyz"));
  return router;
}
