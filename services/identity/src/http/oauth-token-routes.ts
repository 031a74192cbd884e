import type { Request } from "express";
import { Router } from "express";

import { isVerifiedBy } from "../domain/pkce.ts";
import type { ClientAuthMethod } from "../domain/registration.ts";
import { ApiError, OAuthError, injectedFault } from "../errors.ts";
import type { Provider } from "../provider.ts";
import type { Client, Session } from "../records/records.ts";
import { personalClaims } from "../tokens/claims.ts";
import { isClientSecret } from "../tokens/client-secrets.ts";
import { fieldsOf, formOrJsonBody, readBearer, textOf } from "./request.ts";
import { renew } from "./session-routes.ts";

type Fields = Record<string, unknown>;

/** The token and user info endpoints for clients. */
export function oauthTokenRoutes(provider: Provider): Router {
  const router = Router();
  router.post("/oauth/token", ...formOrJsonBody, async (request, response) => {
    if (provider.faults.isTokenEndpointFailing) throw injectedFault();
    const fields = fieldsOf(request);
    const client = authenticate(request, fields, provider);
    const grantType = textOf(fields, "grant_type");
    if (grantType === "") throw new OAuthError("invalid_request", "grant_type is required");
    if (!client.grantTypes.includes(grantType)) {
      throw new OAuthError(
        "unsupported_grant_type",
        `Client is not allowed to use grant type: ${grantType}`,
      );
    }
    const answer =
      grantType === "authorization_code"
        ? await exchangeCode(fields, client, provider)
        : await refresh(fields, client, provider);
    await provider.save();
    response.setHeader("Cache-Control", "no-store").json(answer);
  });
  router.get("/oauth/userinfo", async (request, response) => {
    const { user, session } = await readBearer(request, provider);
    response.json(personalClaims(user, session.scopes));
  });
  return router;
}

/** Authenticates the client. As upstream, errors are not in the format of OAuth. */
function authenticate(request: Request, fields: Fields, { directory }: Provider): Client {
  const { id, secret, method } = readClientCredentials(request, fields);
  if (id === "") throw new ApiError(400, "invalid_credentials", "client authentication required");
  const client = directory.getClient(id);
  if (!client) throw new ApiError(400, "invalid_credentials", "invalid client credentials");
  if (method !== client.authMethod) {
    throw new ApiError(
      400,
      "invalid_credentials",
      `client is registered for '${client.authMethod}' but '${method}' was used`,
    );
  }
  if (method !== "none" && !isClientSecret(secret, client.secretHash)) {
    throw new ApiError(400, "invalid_credentials", "invalid client credentials");
  }
  return client;
}

interface ClientCredentials {
  id: string;
  secret: string;
  method: ClientAuthMethod;
}

function readClientCredentials(request: Request, fields: Fields): ClientCredentials {
  const [, encoded] = /^Basic (\S+)$/i.exec(request.header("authorization") ?? "") ?? [];
  const secret = textOf(fields, "client_secret");
  if (encoded === undefined) {
    const method = secret === "" ? "none" : "client_secret_post";
    return { id: textOf(fields, "client_id"), secret, method };
  }
  if (secret !== "") {
    throw new ApiError(
      400,
      "invalid_credentials",
      "only one client authentication method is allowed",
    );
  }
  const [id = "", ...rest] = Buffer.from(encoded, "base64").toString().split(":");
  return { id, secret: rest.join(":"), method: "client_secret_basic" };
}

/** Exchanges a code for tokens, once. */
async function exchangeCode(fields: Fields, client: Client, provider: Provider) {
  const code = textOf(fields, "code");
  if (code === "") {
    throw new OAuthError("invalid_request", "code is required for authorization_code grant");
  }
  const authorization = provider.pending.authorizationCodes.get(code);
  if (authorization?.clientId !== client.id || authorization.userId === undefined) {
    throw new OAuthError("invalid_grant", "Invalid authorization code");
  }
  if (provider.faults.areCodesExpired) {
    throw new OAuthError("invalid_grant", "Authorization code has expired");
  }
  if (textOf(fields, "redirect_uri") !== authorization.redirectUri) {
    throw new OAuthError("invalid_grant", "Redirect URI mismatch");
  }
  if (!isVerifiedBy(authorization.codeChallenge, textOf(fields, "code_verifier"))) {
    throw new OAuthError("invalid_grant", "PKCE verification failed");
  }
  provider.pending.authorizationCodes.delete(code);
  const session = provider.sessions.begin({
    userId: authorization.userId,
    method: "oauth_provider/authorization_code",
    clientId: client.id,
    scopes: authorization.scopes,
  });
  const { user, answer } = await answerFor(session, provider);
  if (!session.scopes.includes("openid")) return answer;
  return { ...answer, id_token: await provider.tokens.idToken(user, session, authorization.nonce) };
}

async function refresh(fields: Fields, client: Client, provider: Provider) {
  const token = textOf(fields, "refresh_token");
  if (token === "") {
    throw new OAuthError("invalid_request", "refresh_token is required for refresh_token grant");
  }
  const session = await renew(token, provider, client.id);
  return (await answerFor(session, provider)).answer;
}

async function answerFor(session: Session, { directory, tokens }: Provider) {
  const user = directory.getUser(session.userId);
  if (!user) throw new OAuthError("invalid_grant", "User not found");
  return { user, answer: await tokens.answer(user, session) };
}
