import { randomUUID } from "node:crypto";

import type { Request } from "express";
import { Router } from "express";

import { isAllowedReturn, withParameters } from "../domain/redirect.ts";
import { coversScopes } from "../domain/scopes.ts";
import { ApiError } from "../errors.ts";
import type { Authorization, Provider } from "../provider.ts";
import type { User } from "../records/records.ts";
import { clientCard } from "../tokens/claims.ts";
import { fieldsOf, jsonBody, readBearer } from "./request.ts";

/** The API of the consent page. */
export function consentRoutes(provider: Provider): Router {
  const router = Router();
  router.get("/oauth/authorizations/:id", async (request, response) => {
    checkOrigin(request, provider);
    const { user } = await readBearer(request, provider);
    const authorization = getPending(request, provider);
    const isFirstLook = authorization.userId === undefined;
    authorization.userId ??= user.id;
    checkOwner(authorization, user);
    if (isFirstLook && isAllowedAlready(authorization, user, provider)) {
      // The code is created here; further requests are refused.
      response.json({ redirect_url: approve(authorization, provider) });
      return;
    }
    response.json(detailsOf(authorization, user, provider));
  });
  router.post("/oauth/authorizations/:id/consent", jsonBody, async (request, response) => {
    checkOrigin(request, provider);
    const { user } = await readBearer(request, provider);
    const { action } = fieldsOf(request);
    if (action !== "approve" && action !== "deny") {
      throw new ApiError(400, "validation_failed", "action must be 'approve' or 'deny'");
    }
    const authorization = getPending(request, provider);
    checkOwner(authorization, user);
    if (action === "deny") {
      response.json({ redirect_url: deny(authorization) });
      return;
    }
    const redirectUrl = approve(authorization, provider);
    const { clientId, scopes } = authorization;
    const grantedAt = provider.clock.now().toISOString();
    provider.directory.putGrant({ userId: user.id, clientId, scopes, grantedAt });
    await provider.save();
    response.json({ redirect_url: redirectUrl });
  });
  return router;
}

function checkOrigin(request: Request, provider: Provider): void {
  const origin = request.header("origin");
  if (origin !== undefined && !isAllowedReturn(origin, provider)) {
    throw new ApiError(400, "validation_failed", "unauthorized request origin");
  }
}

function getPending(request: Request, { pending }: Provider): Authorization {
  const authorization = pending.authorizations.get(String(request.params["id"]));
  if (!authorization) throw notFound();
  if (authorization.status !== "pending") {
    throw new ApiError(400, "validation_failed", "authorization request cannot be processed");
  }
  return authorization;
}

/** Only the first person to read the request may decide; for others it does not exist. */
function checkOwner(authorization: Authorization, user: User): void {
  if (authorization.userId !== user.id) throw notFound();
}

function notFound(): ApiError {
  return new ApiError(404, "oauth_authorization_not_found", "authorization not found");
}

function isAllowedAlready(
  { clientId, scopes }: Authorization,
  user: User,
  { directory }: Provider,
): boolean {
  const grant = directory.getGrant(user.id, clientId);
  return grant !== undefined && coversScopes(grant.scopes, scopes);
}

/** Creates the code and returns the client's redirect with it. */
function approve(authorization: Authorization, { pending }: Provider): string {
  const code = randomUUID();
  authorization.status = "approved";
  pending.authorizationCodes.set(code, authorization);
  return withParameters(authorization.redirectUri, { code, state: authorization.state });
}

function deny(authorization: Authorization): string {
  authorization.status = "denied";
  return withParameters(authorization.redirectUri, {
    error: "access_denied",
    error_description: "User denied the request",
    state: authorization.state,
  });
}

function detailsOf(authorization: Authorization, user: User, { directory }: Provider) {
  const client = directory.getClient(authorization.clientId);
  if (!client) throw notFound();
  return {
    authorization_id: authorization.id,
    redirect_uri: authorization.redirectUri,
    client: clientCard(client),
    user: { id: user.id, email: user.email },
    scope: authorization.scopes.join(" "),
  };
}
