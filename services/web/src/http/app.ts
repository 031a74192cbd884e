import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import { moduleLogger } from "@nutrition/core/logger";
import type { Express, Router } from "express";
import express from "express";
import helmet from "helmet";

import type { AccountPages } from "./account-page.ts";
import { assetRoutes } from "./assets.ts";
import { beginVisit } from "./begin-visit.ts";
import { CsrfTokens } from "./csrf.ts";
import { answerError } from "./error-page.ts";
import { readForms } from "./form.ts";

export interface AppOptions {
  logger: Logger;
  clock: Clock;
  /** Address under which people see the pages. */
  baseUrl: string;
  accountPages: AccountPages;
  /** In the order in which they are tried. */
  routes: readonly Router[];
}

/** The HTTP application of the pages, without a socket. */
export function createApp({ logger, clock, baseUrl, accountPages, routes }: AppOptions): Express {
  const app = express();
  const csrf = new CsrfTokens(baseUrl);
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  // Only the gateway connects here, and it states the client's address.
  app.set("trust proxy", 1);
  app.set("case sensitive routing", true);
  app.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  app.use(beginVisit(moduleLogger(logger, "requests"), clock, csrf));
  app.use(securityHeaders(baseUrl.startsWith("https:")));
  app.use(assetRoutes());
  app.use(readForms());
  app.use(csrf.protect());
  for (const router of routes) app.use(router);
  app.use(accountPages.notFound());
  app.use(answerError);
  return app;
}

/** Each page sets its own content policy. */
function securityHeaders(isHttps: boolean) {
  return helmet({
    contentSecurityPolicy: false,
    strictTransportSecurity: isHttps,
    // Not "no-referrer": browsers would then send "Origin: null" with our own forms.
    referrerPolicy: { policy: "same-origin" },
    // "same-origin" would disconnect a window from the assistant that opened it.
    crossOriginOpenerPolicy: false,
    xFrameOptions: { action: "deny" },
    xXssProtection: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
  });
}
