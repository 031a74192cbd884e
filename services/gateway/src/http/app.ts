import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import type { ErrorRequestHandler, Express, Router } from "express";
import express from "express";
import helmet from "helmet";

import { beginRequest } from "./begin-request.ts";
import { HttpRefusal, toRefusal } from "./refusal.ts";
import { stateOf } from "./request-state.ts";
import { sendRefusal } from "./send.ts";

export interface AppOptions {
  logger: Logger;
  clock: Clock;
  /** Proxies in front whose `X-Forwarded-For` is believed; 0 for none. */
  trustProxyHops: number;
  /** Whether clients come over TLS, which browsers are then told to insist on. */
  isHttps: boolean;
  /** In the order in which they are tried. */
  routes: readonly Router[];
}

/** The HTTP side of the gateway, without a socket. */
export function createApp(options: AppOptions): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  app.set("case sensitive routing", true);
  app.set("trust proxy", options.trustProxyHops);
  app.use(beginRequest(options.logger, options.clock));
  app.use(securityHeaders(options.isHttps));
  for (const router of options.routes) app.use(router);
  app.use((request) => {
    throw new HttpRefusal(
      "not_found",
      `There is nothing at ${request.path.slice(0, PATH_SHOWN_MAX)}. See /docs for what there is.`,
    );
  });
  app.use(answerError);
  return app;
}

const PATH_SHOWN_MAX = 200;

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
  if (refusal.cause !== undefined) stateOf(response).error = refusal.cause;
  if (response.headersSent) next(error);
  else sendRefusal(response, refusal);
};
