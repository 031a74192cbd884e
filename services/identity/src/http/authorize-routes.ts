import { randomBytes } from "node:crypto";

import type { Request } from "express";
import { Router } from "express";

import type { CodeChallenge } from "../domain/pkce.ts";
import { parseCodeChallenge } from "../domain/pkce.ts";
import { withParameters } from "../domain/redirect.ts";
import { findUnsupportedScope, parseScopes } from "../domain/scopes.ts";
import { ApiError } from "../errors.ts";
import type { Authorization, Provider } from "../provider.ts";
import { queryOf } from "./request.ts";

/** The authorization endpoint, which clients redirect people to. */
export function authorizeRoutes(provider: Provider): Router {
  const { pending, siteUrl, authorizationPath } = provider;
  const router = Router();
  router.get("/oauth/authorize", (request, response) => {
    const { clientId, redirectUri } = readClient(request, provider);
    const parsed = parseRequest(request);
    if (typeof parsed === "string") {
      const error = { error: "invalid_request", error_description: parsed };
      response.redirect(
        302,
        withParameters(redirectUri, { ...error, state: queryOf(request, "state") }),
      );
      return;
    }
    const authorization: Authorization = {
      ...parsed,
      id: newAuthorizationId(),
      clientId,
      redirectUri,
      status: "pending",
    };
    pending.authorizations.set(authorization.id, authorization);
    response.redirect(302, `${siteUrl}${authorizationPath}?authorization_id=${authorization.id}`);
  });
  return router;
}

/** The client and its redirect URI. Nothing is sent there until both are validated. */
function readClient(request: Request, { directory }: Provider) {
  const clientId = queryOf(request, "client_id");
  const redirectUri = queryOf(request, "redirect_uri");
  if (clientId === "") throw new ApiError(400, "validation_failed", "client_id is required");
  if (redirectUri === "") throw new ApiError(400, "validation_failed", "redirect_uri is required");
  const client = directory.getClient(clientId);
  if (!client) throw new ApiError(400, "oauth_client_not_found", "invalid client_id");
  if (!client.redirectUris.includes(redirectUri)) {
    throw new ApiError(400, "validation_failed", "invalid redirect_uri");
  }
  return { clientId, redirectUri };
}

interface AskedFor {
  scopes: string[];
  state: string;
  nonce: string;
  codeChallenge: CodeChallenge;
}

function parseRequest(request: Request): AskedFor | string {
  const responseType = queryOf(request, "response_type");
  if (responseType !== "" && responseType !== "code") return "Only response_type=code is supported";
  const scopes = parseScopes(queryOf(request, "scope"));
  const unsupported = findUnsupportedScope(scopes);
  if (unsupported !== undefined) return `unsupported scope: ${unsupported}`;
  const resourceFault = findResourceFault(queryOf(request, "resource"));
  if (resourceFault !== undefined) return resourceFault;
  const codeChallenge = parseCodeChallenge(
    queryOf(request, "code_challenge"),
    queryOf(request, "code_challenge_method"),
  );
  if (typeof codeChallenge === "string") return codeChallenge;
  return {
    scopes,
    codeChallenge,
    state: queryOf(request, "state"),
    nonce: queryOf(request, "nonce"),
  };
}

function findResourceFault(resource: string): string | undefined {
  if (resource === "") return undefined;
  const url = URL.parse(resource);
  if (!url) return "resource must be an absolute URI";
  if (url.hash !== "") return "resource must not include a fragment component";
  return url.search === "" ? undefined : "resource must not include a query component";
}

/** 32 letters and digits. */
function newAuthorizationId(): string {
  return randomBytes(16).toString("hex");
}
