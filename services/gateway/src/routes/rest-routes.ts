import type { Request, Response } from "express";
import { Router } from "express";

import type { Admission } from "../access/admission.ts";
import { assertMayRead } from "../access/admission.ts";
import type { AdmittedRequest } from "../access/admitted-request.ts";
import type { RestRead, Services } from "../operations/operation.ts";
import { REST_READS } from "../operations/operations.ts";
import { allowOnly } from "../http/method-not-allowed.ts";
import { queryParser } from "./query.ts";
import { stateOf } from "../http/request-state.ts";
import { openToAll } from "../http/cross-origin.ts";
import { sendJson } from "../http/send.ts";

export const REST_BASE = "/api/v1";

/** The router of the REST reads. Mount it at `REST_BASE`. */
export function restRoutes(services: Services, admission: Admission): Router {
  const router = Router({ caseSensitive: true });
  // Pages of any origin may call it with a key that a person gave them; cookies are never a credential.
  router.use(openToAll("GET, HEAD"));
  for (const read of REST_READS) {
    const route = REST_BASE + read.path;
    const serve = readHandler(read, services, admission);
    router
      .route(read.path)
      .get((request, response) => {
        stateOf(response).route = route;
        return serve(request, response);
      })
      .all(allowOnly("GET, HEAD", route));
  }
  return router;
}

function readHandler(read: RestRead, services: Services, admission: Admission) {
  const parseQuery = queryParser(read.input);
  const fetch = async ({ principal, calls }: AdmittedRequest, url: string) => {
    assertMayRead(principal);
    return read.fetch(services, { user: principal.user, calls }, parseQuery(url));
  };
  return async (request: Request, response: Response): Promise<void> => {
    const answer = async (admitted: AdmittedRequest) => {
      const { json } = await admitted.countWhile(() => fetch(admitted, request.url));
      response.setHeader("Cache-Control", "no-store");
      sendJson(response, json);
    };
    await admission.admit(request, response, { receive: async () => {}, answer });
  };
}
