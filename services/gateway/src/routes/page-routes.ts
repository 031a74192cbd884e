import type { IncomingHttpHeaders } from "node:http";

import type { FairQueueOptions } from "@nutrition/core/fair-queue";
import { FairQueue } from "@nutrition/core/fair-queue";
import { markup } from "@nutrition/core/markup";
import { Agent, ServerResponse } from "@nutrition/core/node-http";
import type { TlsFiles } from "@nutrition/rpc/tls-files";
import { activeTraceparent } from "@nutrition/telemetry/tracing/tracer";
import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express";
import { Router } from "express";
import { createProxyMiddleware } from "http-proxy-middleware";

import { bodyReader } from "../http/body.ts";
import { allowOnly } from "../http/method-not-allowed.ts";
import { passAnswer } from "../http/pass-answer.ts";
import { PAGE_TURNS, takeTurn } from "./page-turns.ts";
import { HttpRefusal } from "../http/refusal.ts";
import { stateOf } from "../http/request-state.ts";
import { sendRefusal } from "../http/send.ts";

/** Paths served by the web service, including all below them. */
const PAGES: readonly string[] = [
  "/sign-in",
  "/sign-up",
  "/sign-out",
  "/recover",
  "/oauth/consent",
  "/oauth/callback",
  "/report-key",
  "/settings",
  "/journal",
  "/assets",
  "/favicon.ico",
];

/** Request headers passed on to the web service, in addition to those that the gateway sets. */
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
  // A prefetched page must not have side effects.
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

const START = "/";
/** Takes the place of the path in the log. */
const NO_PAGE = "(no page)";
const BODY_MAX_KIB = 64;
/** Time without a response after which the web service counts as down. */
const SILENCE_MAX_MS = 15_000;
const RETRY_AFTER_SECONDS = 5;

const readBytes = bodyReader(BODY_MAX_KIB);

export interface PageRoutesOptions {
  /** Refuses requests under the name of another site; by default, every name is served. */
  assertHost?: RequestHandler;
  /** Client certificate and authority for a web service at an https address. */
  tls?: TlsFiles | undefined;
  silenceMaxMs?: number;
  turns?: FairQueueOptions;
}

/** Proxies the pages of the web service at `webUrl`, and nothing else of it. */
export function pageRoutes(webUrl: string, options: PageRoutesOptions = {}): Router {
  const router = Router({ caseSensitive: true });
  const queue = new FairQueue(options.turns ?? PAGE_TURNS);
  const { assertHost = (_request, _response, next) => next() } = options;
  const pass = proxyTo(webUrl, options);
  for (const page of PAGES) {
    router
      .route(`${page}{/*rest}`)
      .all(assertHost)
      .get(takeTurn(queue, page), prepare, pass)
      .post(takeTurn(queue, page), prepare, pass)
      .all(allowOnly("GET, HEAD, POST", page));
  }
  router
    .route(START)
    .all(assertHost)
    .get(takeTurn(queue, START), prepare, pass)
    .all(allowOnly("GET, HEAD", START));
  // A person with a wrong address gets a page with links.
  router.get("/*path", forPeople, assertHost, takeTurn(queue, NO_PAGE), prepare, pass);
  router.use(answerError);
  return router;
}

/** Continues for browsers that open a page; skips this route for programs, which get the usual body. */
const forPeople: RequestHandler = (request, _response, next) => {
  next(isPageWanted(request) && !request.path.startsWith("/api/") ? undefined : "route");
};

/** Reads the body, and replaces headers in which the client could forge its address or route. */
const prepare: RequestHandler = async (request, response, next) => {
  const { requestId } = stateOf(response);
  const body = await readBytes(request, response);
  request.headers = headersFor(request, requestId, body);
  next();
};

function headersFor(request: Request, requestId: string, body?: Buffer): IncomingHttpHeaders {
  const passed = PASSED_HEADERS.flatMap((name) => {
    const value = request.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const traceparent = activeTraceparent();
  return {
    ...Object.fromEntries(passed),
    ...(body && { "content-length": String(body.byteLength) }),
    "x-forwarded-for": request.ip ?? "",
    "x-forwarded-proto": request.protocol,
    "x-forwarded-host": request.host ?? "",
    "x-request-id": requestId,
    ...(traceparent !== undefined && { traceparent }),
  };
}

function proxyTo(webUrl: string, options: PageRoutesOptions): RequestHandler {
  const { tls, silenceMaxMs = SILENCE_MAX_MS } = options;
  return createProxyMiddleware<Request, Response>({
    target: webUrl,
    // On a reused connection, a request would be lost if the web service closed the connection while
    // stopping.
    agent: tls ? tls.httpsAgent() : new Agent({ keepAlive: false }),
    changeOrigin: true,
    proxyTimeout: silenceMaxMs,
    selfHandleResponse: true,
    // The default plugins log addresses and write them into error responses.
    ejectPlugins: true,
    plugins: [
      (proxy) => {
        proxy.on("error", (error, request, response) => {
          if (request && response instanceof ServerResponse)
            answerUnavailable(error, request, response);
        });
        proxy.on("proxyReq", (outgoing, { body }) => {
          if (Buffer.isBuffer(body)) outgoing.write(body);
        });
        proxy.on("proxyRes", (answer, _request, response) => {
          // Each page sets its own content security policy; ours would block its styles.
          response.removeHeader("Content-Security-Policy");
          delete answer.headers["x-request-id"];
          passAnswer(answer, response);
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

function answerUnavailable(error: Error, request: Request, response: Response): void {
  stateOf(response).error = error;
  if (response.headersSent) response.destroy();
  else answerRefusal(AWAY, request, response);
}

/** Responds with a page to browsers and with the usual body to programs. */
function answerRefusal(refusal: HttpRefusal, request: Request, response: Response): void {
  if (!isPageWanted(request)) return sendRefusal(response, refusal);
  response.status(refusal.status).set(refusal.headers).set("Cache-Control", "no-store");
  response.type("html").send(pageOf(refusal));
}

function isPageWanted(request: Request): boolean {
  return request.accepts(["json", "html"]) === "html";
}

const AWAY = new HttpRefusal(
  "service_unavailable",
  `The pages are temporarily unavailable. Try again in ${RETRY_AFTER_SECONDS} seconds.`,
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
          <h1>Something went wrong</h1>
          <p>${message}</p>
        </main>
      </body>
    </html>`.html;
}
