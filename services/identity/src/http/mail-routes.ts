import { randomBytes, randomUUID } from "node:crypto";

import type { Request } from "express";
import { Router } from "express";

import type { CodeChallenge } from "../domain/pkce.ts";
import { parseCodeChallenge } from "../domain/pkce.ts";
import { chooseReturn, withParameters } from "../domain/redirect.ts";
import { ApiError } from "../errors.ts";
import { confirmEmail, insertUser } from "../flows/accounts.ts";
import { confirmEmailChange } from "../flows/email-change.ts";
import type { MailLink, MailLinkType, Provider } from "../provider.ts";
import type { User } from "../records/records.ts";
import { hashPassword } from "../tokens/passwords.ts";
import { limitByAddress } from "./address-limits.ts";
import { checkEmail, checkPassword, readMetadata } from "./new-password.ts";
import { fieldsOf, jsonBody, queryOf, textOf } from "./request.ts";
import { userView } from "./user-view.ts";

/** Sign-up and password recovery, both by a link in a mail. */
export function mailRoutes(provider: Provider): Router {
  const router = Router();
  router.post("/recover", limitByAddress(provider, "recover"), jsonBody, (request, response) => {
    const codeChallenge = readCodeChallenge(request);
    const user = provider.directory.findUserByEmail(checkEmail(fieldsOf(request)["email"]));
    // The response must not reveal whether the user exists.
    if (user) sendLink(user, { type: "recovery", codeChallenge, request }, provider);
    response.json({});
  });
  router.post(
    "/signup",
    limitByAddress(provider, "signup"),
    jsonBody,
    async (request, response) => {
      const fields = fieldsOf(request);
      const codeChallenge = readCodeChallenge(request);
      const email = checkEmail(fields["email"]);
      const passwordHash = await hashPassword(checkPassword(fields["password"]));
      const asked = { email, metadata: readMetadata(fields), passwordHash };
      const known = provider.directory.findUserByEmail(email);
      if (known?.emailConfirmedAt !== undefined) {
        response.json({ ...userView(known), id: randomUUID(), identities: [], user_metadata: {} });
        return;
      }
      const user =
        known ?? insertUser(provider, { ...asked, provider: "email", isConfirmed: false });
      user.passwordHash = passwordHash;
      sendLink(user, { type: "signup", codeChallenge, request }, provider);
      await provider.save();
      response.json({
        ...userView(user),
        confirmation_sent_at: provider.clock.now().toISOString(),
      });
    },
  );
  router.get("/verify", limitByAddress(provider, "verify"), async (request, response) => {
    const token = queryOf(request, "token");
    if (queryOf(request, "type") === "email_change") {
      const outcome = confirmEmailChange(provider, token);
      await provider.save();
      response.redirect(303, changeOutcome(outcome, request, provider));
      return;
    }
    const link = provider.pending.mailLinks.take(token);
    response.redirect(303, link ? await follow(link, provider) : refuse(request, provider));
  });
  return router;
}

/** Without a challenge, tokens would be in the URL, which this provider does not support. */
function readCodeChallenge(request: Request): CodeChallenge {
  const fields = fieldsOf(request);
  const challenge = parseCodeChallenge(
    textOf(fields, "code_challenge"),
    textOf(fields, "code_challenge_method"),
  );
  if (typeof challenge === "string") throw new ApiError(400, "validation_failed", challenge);
  return challenge;
}

const MAILS: Readonly<Record<MailLinkType, { subject: string; text: string }>> = {
  recovery: {
    subject: "Reset your password",
    text: "Somebody asked to reset the password of this address. To choose a new one, open the link within an hour, in the browser in which you asked. If it was not you, do nothing.",
  },
  signup: {
    subject: "Confirm your e-mail address",
    text: "To confirm that this address is yours, open the link within an hour, in the browser in which you signed up. If it was not you, do nothing.",
  },
};

const ONE_TO_GO =
  "Confirmation link accepted. Please proceed to confirm link sent to the other email";

interface LinkOptions {
  type: MailLinkType;
  codeChallenge: CodeChallenge;
  request: Request;
}

function sendLink(
  user: User,
  { type, codeChallenge, request }: LinkOptions,
  provider: Provider,
): void {
  const token = randomBytes(24).toString("base64url");
  const returnTo = chooseReturn(queryOf(request, "redirect_to"), provider);
  const method = type === "recovery" ? "recovery" : "email/signup";
  const origin = { userId: user.id, method, scopes: [] };
  provider.pending.mailLinks.set(token, { type, returnTo, codeChallenge, origin });
  const link = withParameters(`${provider.issuer}/verify`, { token, type, redirect_to: returnTo });
  provider.mailbox.send({ to: user.email, ...MAILS[type], link });
}

/** Opening the link proves ownership of the address. */
async function follow(link: MailLink, provider: Provider): Promise<string> {
  const user = provider.directory.getUser(link.origin.userId);
  if (user) confirmEmail(user, provider.clock.now().toISOString());
  await provider.save();
  const code = randomUUID();
  provider.pending.signInCodes.set(code, link);
  return withParameters(link.returnTo, { code });
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

function refuse(request: Request, provider: Provider): string {
  return withParameters(chooseReturn(queryOf(request, "redirect_to"), provider), {
    error: "access_denied",
    error_code: "otp_expired",
    error_description: "Email link is invalid or has expired",
  });
}
