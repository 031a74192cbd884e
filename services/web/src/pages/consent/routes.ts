import express from "express";
import type { Request, Router } from "express";

import { visitOf } from "../../http/visit.ts";
import { CONSENT_ROUTE, ConsentDesk } from "./consent-desk.ts";
import type { ConsentParts } from "./parts.ts";

/** The page on which a person approves or denies an assistant. */
export function consentPages(parts: ConsentParts): Router {
  const desk = new ConsentDesk(parts);
  const router = express.Router({ caseSensitive: true });
  router.get(CONSENT_ROUTE, async (request, response) => {
    visitOf(response).route = CONSENT_ROUTE;
    if (isGuess(request)) return void response.status(503).end();
    await desk.ask(request, response);
  });
  router.post(CONSENT_ROUTE, async (request, response) => {
    visitOf(response).route = CONSENT_ROUTE;
    await desk.answer(request, response);
  });
  return router;
}

/** Whether the request is only a prefetch, which must not use up the authorization request. */
function isGuess(request: Request): boolean {
  const purposes = ["sec-purpose", "purpose", "x-moz"].map((name) => request.get(name) ?? "");
  return request.method === "HEAD" || /prefetch|prerender|preview/i.test(purposes.join(" "));
}
