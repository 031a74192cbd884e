import type { Request } from "express";
import { Router } from "express";

import { isVerifiedBy } from "../domain/pkce.ts";
import { ApiError, OAuthError, injectedFault } from "../errors.ts";
import type { Provider } from "../provider.ts";
import type { Session } from "../records/records.ts";
import { isPassword } from "../tokens/passwords.ts";
import { limitByAddress } from "./address-limits.ts";
import { fieldsOf, jsonBody, queryOf, readBearer, textOf } from "./request.ts";
import { userView } from "./user-view.ts";

/** Begins, renews and ends a person's own sessions. */
export function sessionRoutes(provider: Provider): Router {
  const router = Router();
  router.post("/token", limitByAddress(provider, "token"), jsonBody, async (request, response) => {
    if (provider.faults.isTokenEndpointFailing) throw injectedFault();
    const answer = await answerFor(await sessionOf(request, provider), provider);
    await provider.save();
    response.setHeader("Cache-Control", "no-store").json(answer);
  });
  router.post("/logout", async (request, response) => {
    const { user, session } = await readBearer(request, provider);
    const scope = queryOf(request, "scope") || "global";
    if (!["global", "local", "others"].includes(scope)) {
      throw new ApiError(400, "validation_failed", `Unsupported logout scope ${scope}`);
    }
    provider.directory.deleteSessions(({ id, userId }) => {
      if (scope === "local") return id === session.id;
      return userId === user.id && (scope === "global" || id !== session.id);
    });
    await provider.save();
    response.status(204).end();
  });
  return router;
}

async function sessionOf(request: Request, provider: Provider): Promise<Session> {
  const fields = fieldsOf(request);
  switch (queryOf(request, "grant_type")) {
    case "password":
      return signIn(textOf(fields, "email"), textOf(fields, "password"), provider);
    case "pkce":
      return exchange(textOf(fields, "auth_code"), textOf(fields, "code_verifier"), provider);
    case "refresh_token":
      return renew(textOf(fields, "refresh_token"), provider);
    default:
      throw new ApiError(400, "invalid_credentials", "unsupported_grant_type");
  }
}

async function signIn(email: string, password: string, provider: Provider): Promise<Session> {
  const user = provider.directory.findUserByEmail(email);
  if (!(await isPassword(password, user?.passwordHash)) || !user) {
    throw new ApiError(400, "invalid_credentials", "Invalid login credentials");
  }
  if (user.emailConfirmedAt === undefined) {
    throw new ApiError(400, "email_not_confirmed", "Email not confirmed");
  }
  return provider.sessions.begin({ userId: user.id, method: "password", scopes: [] });
}

/** Exchanges the code of a third-party sign-in or a mail's link, once. */
async function exchange(code: string, verifier: string, provider: Provider): Promise<Session> {
  if (code === "" || verifier === "") {
    const message = "invalid request: both auth code and code verifier should be non-empty";
    throw new ApiError(400, "validation_failed", message);
  }
  const found = provider.pending.signInCodes.get(code);
  if (!found) {
    throw new ApiError(
      404,
      "flow_state_not_found",
      "invalid flow state, no valid flow state found",
    );
  }
  if (provider.faults.areCodesExpired) {
    throw new ApiError(400, "flow_state_expired", "invalid flow state, flow state has expired");
  }
  if (!isVerifiedBy(found.codeChallenge, verifier)) {
    const message = "code challenge does not match previously saved code verifier";
    throw new ApiError(400, "bad_code_verifier", message);
  }
  provider.pending.signInCodes.delete(code);
  return provider.sessions.begin(found.origin);
}

/** Renews a session, a client's with its id. As upstream, a failure is not in the format of OAuth. */
export async function renew(
  token: string,
  provider: Provider,
  clientId?: string,
): Promise<Session> {
  const session = provider.sessions.refresh(token, clientId);
  if (session === "other_client") {
    throw new OAuthError("invalid_client", "Client does not match the session's OAuth client");
  }
  if (session === "unknown") {
    const message = "Invalid Refresh Token: Refresh Token Not Found";
    throw new ApiError(400, "refresh_token_not_found", message);
  }
  if (session === "reused") {
    await provider.save();
    const message = "Invalid Refresh Token: Already Used";
    throw new ApiError(400, "refresh_token_already_used", message);
  }
  return session;
}

/** The tokens of a session as upstream answers them. */
export async function answerFor(session: Session, { directory, tokens, clock }: Provider) {
  const user = directory.getUser(session.userId);
  if (!user) throw new ApiError(403, "user_not_found", "User from sub claim does not exist");
  const answer = await tokens.answer(user, session);
  const expiresAt = Math.floor(clock.now().getTime() / 1_000) + answer.expires_in;
  return { ...answer, expires_at: expiresAt, user: userView(user) };
}
