import { Router } from "express";

import { allowOnly } from "./method-not-allowed.ts";
import type { Readiness } from "./readiness.ts";
import { HttpRefusal } from "./refusal.ts";
import { stateOf } from "./request-state.ts";
import { sendJson } from "./send.ts";

const RETRY_AFTER_SECONDS = 2;

/** `/healthz`: the process lives. `/readyz`: it can do its work. */
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
    .get(async (_request, response) => {
      stateOf(response).route = "/readyz";
      const missing = await readiness.listMissing();
      if (missing.length > 0) throw notReady(missing);
      sendJson(response, '{"status":"ready"}');
    })
    .all(allowOnly("GET, HEAD", "/readyz"));
  return router;
}

function notReady(missing: readonly string[]): HttpRefusal {
  return new HttpRefusal("service_unavailable", `Not ready: ${missing.join(", ")}.`, {
    headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
  });
}
