import type { ServerOptions } from "node:http";

import type { Clock } from "@nutrition/core/clock";
import { IncomingMessage, ServerResponse } from "@nutrition/core/node-http";
import type { ErrorRequestHandler, Express, Request, Router } from "express";
import express from "express";
import helmet from "helmet";

import { beginRequest } from "./begin-request.ts";
import type { HangUpPace } from "./hang-up-pace.ts";
import { paceRequests } from "./paced-requests.ts";
import type { ProxyCheck } from "./proxy-check.ts";
import { HttpRefusal, toRefusal } from "./refusal.ts";
import type { RequestLog } from "./request-log.ts";
import { stateOf } from "./request-state.ts";
import { sendRefusal } from "./send.ts";

export interface AppOptions {
  log: RequestLog;
  clock: Clock;
  hangUpPace: HangUpPace;
  /** Called for every request. */
  proxyCheck: ProxyCheck;
  /** Number of proxies in front whose `X-Forwarded-For` is trusted; 0 for none. */
  trustProxyHops: number;
  /** Whether clients connect over TLS; browsers then get the header Strict-Transport-Security. */
  isHttps: boolean;
  /** In the order in which they are tried. */
  routes: readonly Mount[];
}

/** A router mounted at a path. Requests for other paths skip it. */
export interface Mount {
  readonly path: string;
  readonly router: Router;
}

/** The HTTP application of the gateway, without a socket. */
export function createApp(options: AppOptions): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  app.set("case sensitive routing", true);
  app.set("trust proxy", options.trustProxyHops);
  // Without a proxy, connections are paced before they are parsed (`paceConnections`).
  if (options.trustProxyHops > 0) app.use(paceRequests(options.hangUpPace, options.log));
  app.use(beginRequest(options.log, options.clock));
  app.use(securityHeaders(options.isHttps));
  app.use((request, _response, next) => {
    assertHost(request);
    options.proxyCheck.inspect(request.headers);
    next();
  });
  for (const { path, router } of options.routes) app.use(path, router);
  app.use((request) => {
    throw new HttpRefusal(
      "not_found",
      `There is nothing at ${request.path.slice(0, PATH_SHOWN_MAX)}. See /docs for the available paths.`,
    );
  });
  app.use(answerError);
  return app;
}

const PATH_SHOWN_MAX = 200;

/**
 * Classes of requests and responses with the prototypes that `app` gives each of them. Then Express changes
 * nothing: V8 takes long to change the prototype of an object (docs/decisions/0047).
 */
export function messageClassesOf(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends AppRequest> extends ServerResponse<R> {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse } satisfies ServerOptions;
}

/** RFC 9112 §3.2: HTTP/1.1 requires one. Node joins several, and no name contains a comma. */
function assertHost({ headers: { host }, httpVersion }: Request): void {
  if (host?.includes(",")) {
    throw new HttpRefusal("invalid_request", "Send one Host header.");
  }
  if (host !== undefined || httpVersion !== "1.1") return;
  throw new HttpRefusal("invalid_request", "The Host header is required.");
}

function securityHeaders(isHttps: boolean) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: isHttps,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}

const answerError: ErrorRequestHandler = (error, _request, response, next) => {
  const refusal = toRefusal(error);
  const state = stateOf(response);
  state.reason = refusal.reason;
  if (refusal.cause !== undefined) state.error = refusal.cause;
  if (response.headersSent) next(error);
  else sendRefusal(response, refusal);
};
