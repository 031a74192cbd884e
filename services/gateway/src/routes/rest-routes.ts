import type { Request, Response } from "express";
import { Router } from "express";
import type { z } from "zod";

import type { Admission } from "../access/admission.ts";
import { assertMayRead } from "../access/admission.ts";
import type { Visit } from "../access/visit.ts";
import type { Read, Reads } from "../reads.ts";
import { allowOnly } from "../http/method-not-allowed.ts";
import { parseQuery } from "./query.ts";
import { stateOf } from "../http/request-state.ts";
import { sendJson } from "../http/send.ts";

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
  await admission.admit(request, response, async (visit) => {
    const document = await visit.countWhile(() => readDocument(read, visit, request.url));
    response.setHeader("Cache-Control", "no-store");
    sendJson(response, document);
  });
}

async function readDocument<Input extends z.ZodObject>(
  read: Read<Input>,
  { principal, calls }: Visit,
  url: string,
): Promise<Uint8Array> {
  assertMayRead(principal);
  return read.fetch({ user: principal.user, calls }, parseQuery(url, read.input));
}
