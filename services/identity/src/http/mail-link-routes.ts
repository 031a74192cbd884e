import { randomUUID } from "node:crypto";

import type { Request } from "express";
import { Router } from "express";

import { chooseReturn, withParameters } from "../domain/redirect.ts";
import { ApiError } from "../errors.ts";
import { confirmEmailChange } from "../flows/email-change.ts";
import { METHODS, PKCE_PREFIX, useMailLink } from "../flows/mail-links.ts";
import type { MailLink, Provider } from "../provider.ts";
import { limitByAddress } from "./address-limits.ts";
import { fieldsOf, jsonBody, queryOf, textOf } from "./request.ts";
import { answerFor } from "./session-routes.ts";

const ONE_TO_GO =
  "Confirmation link accepted. Please proceed to confirm link sent to the other email";

/** Handles links in mails that lead to this provider, and tokens from links that lead to the site. */
export function mailLinkRoutes(provider: Provider): Router {
  const router = Router();
  router.get("/verify", limitByAddress(provider, "verify"), async (request, response) => {
    const [token, type] = [queryOf(request, "token"), queryOf(request, "type")];
    if (type === "email_change") {
      const outcome = confirmEmailChange(provider, token);
      await provider.save();
      response.redirect(303, changeOutcome(outcome, request, provider));
      return;
    }
    const link = await useMailLink(provider, token, type);
    response.redirect(303, link ? await follow(link, provider) : refuse(request, provider));
  });
  router.post(
    "/verify",
    limitByAddress(provider, "verify"),
    jsonBody,
    async (request, response) => {
      const fields = fieldsOf(request);
      const link = await useMailLink(
        provider,
        textOf(fields, "token_hash"),
        textOf(fields, "type"),
      );
      if (!link) throw new ApiError(403, "otp_expired", "Email link is invalid or has expired");
      response.setHeader("Cache-Control", "no-store").json(await beginSession(link, provider));
    },
  );
  return router;
}

/** A session without PKCE. Upstream says `otp` for every type of link. */
async function beginSession({ userId }: MailLink, provider: Provider) {
  const session = provider.sessions.begin({ userId, method: "otp", scopes: [] });
  const answer = await answerFor(session, provider);
  await provider.save();
  return answer;
}

/** Returns with a code, or without a challenge with the tokens in the fragment. */
async function follow(link: MailLink, provider: Provider): Promise<string> {
  const { returnTo, userId, type, codeChallenge } = link;
  if (!codeChallenge) {
    const { user: _user, ...tokens } = await beginSession(link, provider);
    const fragment = new URLSearchParams({ type });
    for (const [name, value] of Object.entries(tokens)) fragment.set(name, String(value));
    return `${returnTo}#${fragment.toString()}`;
  }
  await provider.save();
  const code = randomUUID();
  const origin = { userId, method: METHODS[type], scopes: [] };
  provider.pending.signInCodes.set(code, { codeChallenge, origin });
  return withParameters(returnTo, { code });
}

function changeOutcome(
  outcome: ReturnType<typeof confirmEmailChange>,
  request: Request,
  provider: Provider,
): string {
  if (outcome === "unknown") return refuse(request, provider);
  const message = outcome === "one_to_go" ? ONE_TO_GO : "";
  return withParameters(provider.siteUrl, { message });
}

/** As upstream, in the fragment alone unless the link had a challenge. */
function refuse(request: Request, provider: Provider): string {
  const returnTo = chooseReturn(queryOf(request, "redirect_to"), provider);
  const error = {
    error: "access_denied",
    error_code: "otp_expired",
    error_description: "Email link is invalid or has expired",
  };
  const isPkce = queryOf(request, "token").startsWith(PKCE_PREFIX);
  const address = isPkce ? withParameters(returnTo, error) : returnTo;
  return `${address}#${new URLSearchParams(error).toString()}`;
}
