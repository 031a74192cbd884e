import express from "express";
import type { Request, Router } from "express";

import { visitOf } from "../../http/visit.ts";
import { CONSENT_ROUTE, ConsentController } from "./consent-controller.ts";
import type { ConsentDependencies } from "./dependencies.ts";

/** The page on which a person approves or denies an assistant. */
export function consentPages(dependencies: ConsentDependencies): Router {
  const controller = new ConsentController(dependencies);
  const router = express.Router({ caseSensitive: true });
  router.get(CONSENT_ROUTE, async (request, response) => {
    visitOf(response).route = CONSENT_ROUTE;
    if (isGuess(request)) return void response.status(503).end();
    await controller.ask(request, response);
  });
  router.post(CONSENT_ROUTE, async (request, response) => {
    visitOf(response).route = CONSENT_ROUTE;
    await controller.answer(request, response);
  });
  return router;
}

/** Whether the request is a prefetch, which must not use up the authorization request. */
function isGuess(request: Request): boolean {
  const purposes = ["sec-purpose", "purpose", "x-moz"].map((name) => request.get(name) ?? "");
  return request.method === "HEAD" || /prefetch|prerender|preview/i.test(purposes.join(" "));
}
