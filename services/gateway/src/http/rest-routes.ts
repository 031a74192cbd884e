import type { Request, Response } from "express";
import { Router } from "express";
import type { z } from "zod";

import type { Admission } from "../access/admission.ts";
import { assertMayRead } from "../access/admission.ts";
import type { Principal } from "../access/principal.ts";
import type { Read, Reads } from "../reads.ts";
import { allowOnly } from "./method-not-allowed.ts";
import { parseQuery } from "./query.ts";
import { isTemporary } from "./refusal.ts";
import { stateOf } from "./request-state.ts";
import { sendJson } from "./send.ts";

export const REST_BASE = "/api/v1";

/** The four reads under `/api/v1`. */
export function restRoutes(reads: Reads, admission: Admission): Router {
  const router = Router({ caseSensitive: true });
  const serve = (path: string, read: Read) => {
    const route = REST_BASE + path;
    router
      .route(route)
      .get((request, response) => {
        stateOf(response).route = route;
        return answerRead({ read, admission, request, response });
      })
      .all(allowOnly("GET, HEAD", route));
  };
  serve("/me", reads.profile as Read);
  serve("/nutrition/summary", reads.summary as Read);
  serve("/food-entries", reads.entries as Read);
  serve("/weight-history", reads.weights as Read);
  return router;
}

interface ReadRequest {
  read: Read;
  admission: Admission;
  request: Request;
  response: Response;
}

async function answerRead({ read, admission, request, response }: ReadRequest): Promise<void> {
  const principal = await admission.authenticator.authenticate({
    headers: request.headers,
    ip: request.ip ?? "",
  });
  stateOf(response).accountId = principal.user.accountId;
  // Before it is counted, as a read that is not available is not; what a refused request read is
  // thrown away.
  const [document] = await Promise.allSettled([readDocument(read, principal, request.url)]);
  if (document.status === "rejected" && isTemporary(document.reason)) throw document.reason;
  await admission.counter.count(principal, response);
  if (document.status === "rejected") throw document.reason;
  response.setHeader("Cache-Control", "no-store");
  sendJson(response, document.value);
}

async function readDocument<Input extends z.ZodObject>(
  read: Read<Input>,
  principal: Principal,
  url: string,
): Promise<Uint8Array> {
  assertMayRead(principal);
  return read.fetch(principal.user, parseQuery(url, read.input));
}
