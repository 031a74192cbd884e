import type { Router } from "express";
import { Router as createRouter } from "express";

import { OAUTH_SCOPES } from "../access/challenge.ts";
import type { BaseAddress } from "../domain/base-address.ts";
import { allowOnly } from "../http/method-not-allowed.ts";
import { stateOf } from "../http/request-state.ts";
import { sendJson } from "../http/send.ts";

const ROOT = "/.well-known/oauth-protected-resource";

/** Paths of the metadata. */
export const PROTECTED_RESOURCE_PATHS = [ROOT, `${ROOT}/mcp`];

const CACHE_CONTROL = "public, max-age=300";

/**
 * Protected-resource metadata (RFC 9728) at the root and at the path of the tool endpoint. The
 * resource is always the tool endpoint, as clients compare it with the address a person typed.
 */
export function protectedResourceRoutes(address: BaseAddress, authUrl: string | undefined): Router {
  const router = createRouter({ caseSensitive: true });
  for (const path of PROTECTED_RESOURCE_PATHS) {
    router
      .route(path)
      .get(({ headers }, response) => {
        stateOf(response).route = path;
        if (address.followsHost) response.appendHeader("Vary", "Host");
        response.setHeader("Cache-Control", address.followsHost ? "no-store" : CACHE_CONTROL);
        sendJson(response, metadataOf(address.asTyped(headers.host), authUrl));
      })
      .all(allowOnly("GET, HEAD", path));
  }
  return router;
}

function metadataOf(baseUrl: string, authUrl: string | undefined): string {
  return JSON.stringify({
    resource: `${baseUrl}/mcp`,
    resource_name: "Nutrition Journal",
    resource_documentation: `${baseUrl}/docs`,
    // Omits the member without an identity provider: RFC 9728 §2 forbids an empty array.
    ...(authUrl !== undefined && { authorization_servers: [authUrl] }),
    scopes_supported: OAUTH_SCOPES,
    bearer_methods_supported: ["header"],
  });
}
