import { ServerResponse } from "node:http";
import type { IncomingHttpHeaders } from "node:http";

import { markup } from "@nutrition/core/markup";
import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express";
import { Router } from "express";
import { createProxyMiddleware } from "http-proxy-middleware";

import { bodyReader } from "./body.ts";
import { allowOnly } from "./method-not-allowed.ts";
import { HttpRefusal } from "./refusal.ts";
import { stateOf } from "./request-state.ts";
import { sendRefusal } from "./send.ts";

/** Where a person's browser is served by the web service; so are the paths below. */
const PAGES: readonly string[] = [
  "/sign-in",
  "/sign-up",
  "/sign-out",
  "/recover",
  "/oauth/consent",
  "/oauth/callback",
  "/settings",
  "/journal",
  "/assets",
  "/favicon.ico",
];

/** All that the web service learns of a request's headers, beside what the gateway says itself. */
const PASSED_HEADERS: readonly string[] = [
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "content-type",
  "cookie",
  "if-modified-since",
  "if-none-match",
  "origin",
  // A page that is only fetched ahead must not act.
  "purpose",
  "referer",
  "sec-fetch-dest",
  "sec-fetch-mode",
  "sec-fetch-site",
  "sec-fetch-user",
  "sec-purpose",
  "user-agent",
  "x-moz",
];

const BODY_MAX_KIB = 64;
/** How long the web service may stay silent before it counts as away. */
const SILENCE_MAX_MS = 15_000;
const RETRY_AFTER_SECONDS = 5;

const readBytes = bodyReader(BODY_MAX_KIB);

/** The pages of the web service at `webUrl`, and nothing else of it. */
export function pageRoutes(webUrl: string, silenceMaxMs = SILENCE_MAX_MS): Router {
  const router = Router({ caseSensitive: true });
  const pass = proxyTo(webUrl, silenceMaxMs);
  for (const page of PAGES) {
    router
      .route(`${page}{/*rest}`)
      .get(prepare(page), pass)
      .post(prepare(page), pass)
      .all(allowOnly("GET, HEAD, POST", page));
  }
  router.use(answerError);
  return router;
}

/** Reads the body and replaces what the client says of itself and of the way it came. */
function prepare(page: string): RequestHandler {
  return async (request, response, next) => {
    const state = stateOf(response);
    // Paths below may hold what is nobody's business, as queries do.
    state.route = page;
    const body = await readBytes(request, response);
    request.headers = headersFor(request, state.requestId, body);
    next();
  };
}

function headersFor(request: Request, requestId: string, body?: Buffer): IncomingHttpHeaders {
  const passed = PASSED_HEADERS.flatMap((name) => {
    const value = request.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(passed),
    ...(body && { "content-length": String(body.byteLength) }),
    "x-forwarded-for": request.ip ?? "",
    "x-forwarded-proto": request.protocol,
    "x-forwarded-host": request.host ?? "",
    "x-request-id": requestId,
  };
}

function proxyTo(webUrl: string, silenceMaxMs: number): RequestHandler {
  return createProxyMiddleware<Request, Response>({
    target: webUrl,
    changeOrigin: true,
    proxyTimeout: silenceMaxMs,
    // The plugins that it has by default log addresses and answer errors with them.
    ejectPlugins: true,
    plugins: [
      (proxy) => {
        proxy.on("error", (error, request, response) => {
          if (request && response instanceof ServerResponse) answerAway(error, request, response);
        });
        proxy.on("proxyReq", (outgoing, { body }) => {
          if (Buffer.isBuffer(body)) outgoing.write(body);
        });
        proxy.on("proxyRes", (answer, _request, response) => {
          // Each page brings a policy of its own; ours would forbid it its styles.
          response.removeHeader("Content-Security-Policy");
          delete answer.headers["x-request-id"];
        });
      },
    ],
  });
}

const answerError: ErrorRequestHandler = (error, request, response, next) => {
  if (response.headersSent) response.destroy();
  else if (error instanceof HttpRefusal) answerRefusal(error, request, response);
  else next(error);
};

function answerAway(error: Error, request: Request, response: Response): void {
  stateOf(response).error = error;
  if (response.headersSent) response.destroy();
  else answerRefusal(AWAY, request, response);
}

/** People get a page, programs the usual body. */
function answerRefusal(refusal: HttpRefusal, request: Request, response: Response): void {
  if (request.accepts(["json", "html"]) !== "html") return sendRefusal(response, refusal);
  response.status(refusal.status).set(refusal.headers).set("Cache-Control", "no-store");
  response.type("html").send(pageOf(refusal));
}

const AWAY = new HttpRefusal(
  "service_unavailable",
  `The pages are not available at the moment. Try again in ${RETRY_AFTER_SECONDS} seconds.`,
  { headers: { "Retry-After": String(RETRY_AFTER_SECONDS) } },
);

function pageOf({ message }: HttpRefusal): string {
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Nutrition Journal</title>
      </head>
      <body>
        <main>
          <h1>This did not work</h1>
          <p>${message}</p>
        </main>
      </body>
    </html>`.html;
}
