import { ServerResponse } from "@nutrition/core/node-http";
import type { Request, Response } from "express";
import { Router } from "express";
import { createProxyMiddleware } from "http-proxy-middleware";

import { HttpRefusal } from "../http/refusal.ts";
import { passAnswer } from "../http/pass-answer.ts";
import { stateOf } from "../http/request-state.ts";
import { sendRefusal } from "../http/send.ts";

/** Path of the development identity provider's issuer, below the base address. */
const ISSUER_PATH = "/auth/v1";
const WELL_KNOWN = ["oauth-authorization-server", "openid-configuration"];
/** The provider's own paths, and those of its metadata by RFC 8414 and OpenID Connect. */
const PATHS = [
  `${ISSUER_PATH}{/*rest}`,
  ...WELL_KNOWN.map((name) => `/.well-known/${name}${ISSUER_PATH}`),
];

const SILENCE_MAX_MS = 15_000;
const AWAY = new HttpRefusal(
  "service_unavailable",
  "The identity provider is unavailable. Try again shortly.",
  { headers: { "Retry-After": "5" } },
);

export interface IdentityRoutesOptions {
  /** Throws the refusal of a request with a foreign Host. */
  assertOwnHost: (request: Request) => void;
}

/**
 * Serves the development identity provider at `identityUrl` under the service's own address, so
 * that one port, one proxy or one tunnel is enough.
 */
export function identityRoutes(identityUrl: string, options: IdentityRoutesOptions): Router {
  const router = Router({ caseSensitive: true });
  const pass = createProxyMiddleware<Request, Response>({
    target: identityUrl,
    changeOrigin: true,
    proxyTimeout: SILENCE_MAX_MS,
    selfHandleResponse: true,
    // The default plugins log addresses, which contain codes.
    ejectPlugins: true,
    plugins: [
      (proxy) => {
        proxy.on("error", (error, _request, response) => {
          if (response instanceof ServerResponse) answerUnavailable(error, response as Response);
        });
        proxy.on("proxyRes", (answer, _request, response) => {
          // Its pages set their own policy; ours would forbid their forms.
          response.removeHeader("Content-Security-Policy");
          passAnswer(answer, response);
        });
      },
    ],
  });
  for (const path of PATHS) {
    router.all(path, (request, response, next) => {
      stateOf(response).route = path;
      options.assertOwnHost(request);
      return pass(request, response, next);
    });
  }
  return router;
}

function answerUnavailable(error: Error, response: Response): void {
  stateOf(response).error = error;
  if (response.headersSent) response.destroy();
  else sendRefusal(response, AWAY);
}
