import { isLoopbackName } from "@nutrition/core/loopback";
import type { Express, RequestHandler } from "express";
import express from "express";
import helmet from "helmet";

import { ApiError } from "../errors.ts";
import { inboxPage } from "../pages/inbox-page.ts";
import { sendPage } from "../pages/page.ts";
import type { Provider } from "../provider.ts";
import { adminRoutes } from "./admin-routes.ts";
import { answerErrors } from "./answer-errors.ts";
import { authorizeRoutes } from "./authorize-routes.ts";
import { consentRoutes } from "./consent-routes.ts";
import { discoveryRoutes } from "./discovery-routes.ts";
import { logRequests } from "./log-requests.ts";
import { mailLinkRoutes } from "./mail-link-routes.ts";
import { mailRoutes } from "./mail-routes.ts";
import { oauthTokenRoutes } from "./oauth-token-routes.ts";
import { providerRoutes } from "./provider-routes.ts";
import { registrationRoutes } from "./registration-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { grantRoutes, userRoutes } from "./user-routes.ts";

/** The HTTP side of the provider, without a socket. */
export function createApp(provider: Provider): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  app.use(logRequests(provider));
  app.use(
    helmet({
      contentSecurityPolicy: false,
      strictTransportSecurity: false,
      crossOriginResourcePolicy: false,
      crossOriginOpenerPolicy: false,
      originAgentCluster: false,
    }),
    onlyOwnHosts(provider.issuer),
  );
  const { pathname } = new URL(provider.issuer);
  // Pages come before CORS: scripts of other sites must not read them.
  app.use(pathname, providerRoutes(provider));
  app.get("/inbox", (_request, response) => {
    sendPage(response, inboxPage(provider.mailbox.mails));
  });
  app.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  app.use(crossOrigin, discoveryRoutes(provider));
  app.use(
    pathname,
    adminRoutes(provider),
    registrationRoutes(provider),
    authorizeRoutes(provider),
    consentRoutes(provider),
    oauthTokenRoutes(provider),
    sessionRoutes(provider),
    userRoutes(provider),
    grantRoutes(provider),
    mailRoutes(provider),
    mailLinkRoutes(provider),
  );
  app.use(() => {
    throw new ApiError(404, "not_found", "There is nothing at this address");
  });
  app.use(answerErrors);
  return app;
}

const ALLOWED_HEADERS =
  "accept, authorization, content-type, x-client-ip, x-client-info, x-supabase-api-version";

/**
 * Rejects DNS rebinding, with which a site whose name resolves to this machine could read
 * everything.
 */
function onlyOwnHosts(issuer: string): RequestHandler {
  const own = new URL(issuer).hostname;
  return (request, _response, next) => {
    const { hostname } = URL.parse(`http://${request.headers.host}`) ?? {};
    if (hostname === own || (hostname && isLoopbackName(hostname))) return next();
    throw new ApiError(421, "validation_failed", "This provider does not serve that host");
  };
}

/** Scripts of any origin may call everything: no route reads a cookie. */
const crossOrigin: RequestHandler = (request, response, next) => {
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Access-Control-Expose-Headers", "x-supabase-api-version, x-sb-error-code");
  if (request.method !== "OPTIONS") return next();
  response
    .setHeader("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE")
    .setHeader("Access-Control-Allow-Headers", ALLOWED_HEADERS)
    .setHeader("Access-Control-Max-Age", "600")
    .status(204)
    .end();
};
