import type { NextFunction, Request, RequestHandler, Response } from "express";

import { stateOf } from "./request-state.ts";

/** Headers that browser clients may send and read. */
const SENT =
  "authorization, content-type, accept, x-service-api-key, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id, traceparent, x-request-id, if-none-match";
const READ = "www-authenticate, ratelimit, ratelimit-policy, retry-after, x-request-id, etag";
const PREFLIGHT_MAX_AGE_SECONDS = 600;
const ANY_ORIGIN = "*";

export interface CrossOriginOptions {
  isOriginAllowed: (origin: string) => boolean;
  /** Such as "GET, HEAD". */
  methods: string;
}

/**
 * Lets pages of allowed origins read responses (Fetch §3.2), and answers their preflight requests.
 */
export function crossOrigin({ isOriginAllowed, methods }: CrossOriginOptions): RequestHandler {
  return (request, response, next) => {
    const { origin } = request.headers;
    response.appendHeader("Vary", "Origin");
    if (origin === undefined || !isOriginAllowed(origin)) return next();
    answerOrigin(origin, methods, { request, response, next });
  };
}

/**
 * Lets pages of every origin read responses, without cookies: a page can use only a key that a person gave
 * it. Responses do not depend on the origin, so caches may share them.
 */
export function openToAll(methods: string): RequestHandler {
  return (request, response, next) =>
    answerOrigin(ANY_ORIGIN, methods, { request, response, next });
}

interface Exchange {
  request: Request;
  response: Response;
  next: NextFunction;
}

function answerOrigin(origin: string, methods: string, exchange: Exchange): void {
  const { request, response, next } = exchange;
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Access-Control-Expose-Headers", READ);
  const isPreflight =
    request.method === "OPTIONS" && request.get("access-control-request-method") !== undefined;
  if (!isPreflight) return next();
  stateOf(response).route = "(preflight)";
  response
    .status(204)
    .setHeader("Access-Control-Allow-Methods", methods)
    .setHeader("Access-Control-Allow-Headers", SENT)
    .setHeader("Access-Control-Max-Age", PREFLIGHT_MAX_AGE_SECONDS)
    .end();
}
