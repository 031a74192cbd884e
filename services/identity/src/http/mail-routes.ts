import { randomUUID } from "node:crypto";

import type { Request } from "express";
import { Router } from "express";

import type { CodeChallenge } from "../domain/pkce.ts";
import { parseCodeChallenge } from "../domain/pkce.ts";
import { chooseReturn, withParameters } from "../domain/redirect.ts";
import { ApiError } from "../errors.ts";
import { insertUser } from "../flows/accounts.ts";
import { confirmEmailChange } from "../flows/email-change.ts";
import { addMailLink, addressOfLink, useMailLink } from "../flows/mail-links.ts";
import type { MailLink, MailLinkType, Provider } from "../provider.ts";
import type { User } from "../records/records.ts";
import { hashPassword } from "../tokens/passwords.ts";
import { limitByAddress } from "./address-limits.ts";
import { checkEmail, checkPassword, readMetadata } from "./new-password.ts";
import { fieldsOf, jsonBody, queryOf, textOf } from "./request.ts";
import { answerFor } from "./session-routes.ts";
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
      const newUser = { email, metadata: readMetadata(fields), passwordHash };
      const existing = provider.directory.findUserByEmail(email);
      if (existing?.emailConfirmedAt !== undefined) {
        response.json({
          ...userView(existing),
          id: randomUUID(),
          identities: [],
          user_metadata: {},
        });
        return;
      }
      const user =
        existing ?? insertUser(provider, { ...newUser, provider: "email", isConfirmed: false });
      user.passwordHash = passwordHash;
      sendLink(user, { type: "signup", codeChallenge, request }, provider);
      await provider.save();
      response.json({
        ...userView(user),
        confirmation_sent_at: provider.clock.now().toISOString(),
      });
    },
  );
  router.post("/resend", limitByAddress(provider, "resend"), jsonBody, (request, response) => {
    const fields = fieldsOf(request);
    if (fields["type"] !== "signup")
      throw new ApiError(
        400,
        "validation_failed",
        "Unsupported type: this provider resends sign-up mails",
      );
    const user = provider.directory.findUserByEmail(checkEmail(fields["email"]));
    // The response must not reveal whether the user exists.
    if (user && user.emailConfirmedAt === undefined)
      sendLink(user, { type: "signup", request }, provider);
    response.json({});
  });
  return router;
}

/** Handles links in mails that lead to this provider, and tokens from links that lead to the site. */
export function mailLinkRoutes(provider: Provider): Router {
  const router = Router();
  router.get("/verify", limitByAddress(provider, "verify"), async (request, response) => {
    const token = queryOf(request, "token");
    if (queryOf(request, "type") === "email_change") {
      const outcome = confirmEmailChange(provider, token);
      await provider.save();
      response.redirect(303, changeOutcome(outcome, request, provider));
      return;
    }
    const link = useMailLink(provider, token);
    response.redirect(303, link ? await follow(link, provider) : refuse(request, provider));
  });
  router.post(
    "/verify",
    limitByAddress(provider, "verify"),
    jsonBody,
    async (request, response) => {
      const fields = fieldsOf(request);
      const token = textOf(fields, "token_hash");
      const isOfType = provider.pending.mailLinks.get(token)?.type === textOf(fields, "type");
      const link = isOfType ? useMailLink(provider, token) : undefined;
      if (!link) throw new ApiError(403, "otp_expired", "Email link is invalid or has expired");
      const answer = await answerFor(provider.sessions.begin(link.origin), provider);
      await provider.save();
      response.setHeader("Cache-Control", "no-store").json(answer);
    },
  );
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

const MAILS: Readonly<Record<MailedLinkType, { subject: string; text: string }>> = {
  recovery: {
    subject: "Reset your password",
    text: "Somebody asked to reset the password of this address. To choose a new one, open the link within an hour. If it was not you, do nothing.",
  },
  signup: {
    subject: "Confirm your e-mail address",
    text: "To confirm that this address is yours, open the link within an hour. If it was not you, do nothing.",
  },
};

const ONE_TO_GO =
  "Confirmation link accepted. Please proceed to confirm link sent to the other email";

/** Invitations are handed over by whoever invites. */
type MailedLinkType = Exclude<MailLinkType, "invite">;

interface LinkOptions {
  type: MailedLinkType;
  codeChallenge?: CodeChallenge;
  request: Request;
}

function sendLink(
  user: User,
  { type, codeChallenge, request }: LinkOptions,
  provider: Provider,
): void {
  const returnTo = chooseReturn(queryOf(request, "redirect_to"), provider);
  const token = addMailLink(provider, user, {
    type,
    returnTo,
    ...(codeChallenge && { codeChallenge }),
  });
  const link = addressOfLink(provider, { type, returnTo, token });
  provider.mailbox.send({ to: user.email, ...MAILS[type], link });
}

/** Without a challenge, upstream would put tokens into the address, which this provider does not. */
async function follow(
  { returnTo, origin, codeChallenge }: MailLink,
  provider: Provider,
): Promise<string> {
  await provider.save();
  if (!codeChallenge) return returnTo;
  const code = randomUUID();
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

function refuse(request: Request, provider: Provider): string {
  return withParameters(chooseReturn(queryOf(request, "redirect_to"), provider), {
    error: "access_denied",
    error_code: "otp_expired",
    error_description: "Email link is invalid or has expired",
  });
}
