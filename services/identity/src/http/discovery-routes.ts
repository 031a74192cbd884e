import { Router } from "express";

import { CLIENT_AUTH_METHODS } from "../domain/registration.ts";
import { SCOPES } from "../domain/scopes.ts";
import { injectedFault } from "../errors.ts";
import { STAND_INS } from "../pages/sign-in-page.ts";
import type { Provider } from "../provider.ts";
import { ALGORITHM } from "../tokens/signing-keys.ts";

const CACHE_CONTROL = "public, max-age=600";

/** Public settings, and discovery documents under the issuer and at the paths of RFC 8414. */
export function discoveryRoutes(provider: Provider): Router {
  const { faults, keys, clock } = provider;
  const router = Router();
  const { pathname } = new URL(provider.issuer);
  const document = metadata(provider.issuer);
  const names = ["oauth-authorization-server", "openid-configuration"];
  router.get(
    names.flatMap((name) => [`${pathname}/.well-known/${name}`, `/.well-known/${name}${pathname}`]),
    (_request, response) => {
      if (faults.isDiscoveryFailing) throw injectedFault();
      response.setHeader("Cache-Control", CACHE_CONTROL).json(document);
    },
  );
  router.get(`${pathname}/.well-known/jwks.json`, async (request, response) => {
    if (faults.keySet === "failing") throw injectedFault();
    if (faults.keySet === "slow") {
      const disconnected = new AbortController();
      request.once("close", () => disconnected.abort());
      response.once("close", () => disconnected.abort());
      await clock.sleep(faults.keySetDelayMs, disconnected.signal).catch(() => undefined);
    }
    response.setHeader("Cache-Control", CACHE_CONTROL).json(keys.published);
  });
  router.get(`${pathname}/settings`, (_request, response) => {
    const thirdParties = Object.keys(STAND_INS).map((name) => [name, true]);
    response.json({
      external: {
        email: true,
        phone: false,
        anonymous_users: false,
        ...Object.fromEntries(thirdParties),
      },
      disable_signup: false,
      mailer_autoconfirm: provider.autoconfirm,
      phone_autoconfirm: false,
    });
  });
  return router;
}

function metadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    registration_endpoint: `${issuer}/oauth/clients/register`,
    scopes_supported: SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [ALGORITHM],
    token_endpoint_auth_methods_supported: [...CLIENT_AUTH_METHODS].toReversed(),
    code_challenge_methods_supported: ["S256", "plain"],
    claims_supported: [
      "sub",
      "email",
      "email_verified",
      "name",
      "updated_at",
      "auth_time",
      "nonce",
    ],
  };
}
