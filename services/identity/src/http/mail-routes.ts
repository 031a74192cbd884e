import { randomUUID } from "node:crypto";

import type { Request } from "express";
import { Router } from "express";

import type { CodeChallenge } from "../domain/pkce.ts";
import { parseCodeChallenge } from "../domain/pkce.ts";
import { chooseReturn } from "../domain/redirect.ts";
import { ApiError } from "../errors.ts";
import type { LinkOptions } from "../flows/mail-links.ts";
import { sendLink } from "../flows/mail-links.ts";
import { signUp } from "../flows/sign-up.ts";
import type { Provider } from "../provider.ts";
import type { User } from "../records/records.ts";
import { limitByAddress } from "./address-limits.ts";
import { checkEmail, checkPassword, readMetadata } from "./new-password.ts";
import { fieldsOf, jsonBody, queryOf, textOf } from "./request.ts";
import { answerFor } from "./session-routes.ts";
import { userView } from "./user-view.ts";

/** Sign-up and password recovery, both by a link in a mail. */
export function mailRoutes(provider: Provider): Router {
  const { directory, save } = provider;
  const router = Router();
  router.post(
    "/recover",
    limitByAddress(provider, "recover"),
    jsonBody,
    async (request, response) => {
      const link = readLink(request, provider);
      const user = directory.findUserByEmail(checkEmail(fieldsOf(request)["email"]));
      // The response must not reveal whether the user exists.
      if (user) sendLink(provider, user, { type: "recovery", ...link });
      await save();
      response.json({});
    },
  );
  router.post(
    "/signup",
    limitByAddress(provider, "signup"),
    jsonBody,
    async (request, response) => {
      const fields = fieldsOf(request);
      const email = checkEmail(fields["email"]);
      const password = checkPassword(fields["password"]);
      const link = readLink(request, provider);
      const user = await signUp(provider, {
        email,
        password,
        metadata: readMetadata(fields),
        link,
      });
      await save();
      response.json(
        user === "exists" ? existsView(email, provider) : await signedUpView(user, provider),
      );
    },
  );
  router.post(
    "/resend",
    limitByAddress(provider, "resend"),
    jsonBody,
    async (request, response) => {
      const fields = fieldsOf(request);
      if (fields["type"] !== "signup")
        throw new ApiError(
          400,
          "validation_failed",
          "Unsupported type: this provider resends sign-up mails",
        );
      const link = readLink(request, provider);
      const user = directory.findUserByEmail(checkEmail(fields["email"]));
      // The response must not reveal whether the user exists.
      if (user && user.emailConfirmedAt === undefined)
        sendLink(provider, user, { type: "signup", ...link });
      await save();
      response.json({});
    },
  );
  return router;
}

/** The answer for a confirmed address: an invented user, or a refusal where nothing is confirmed by mail. */
function existsView(email: string, { autoconfirm, directory }: Provider) {
  const user = directory.findUserByEmail(email);
  if (autoconfirm || !user)
    throw new ApiError(422, "user_already_exists", "User already registered");
  return {
    ...userView(user),
    id: randomUUID(),
    role: "",
    email_confirmed_at: undefined,
    confirmed_at: undefined,
    last_sign_in_at: undefined,
    identities: [],
    user_metadata: {},
  };
}

async function signedUpView(user: User, provider: Provider) {
  if (!provider.autoconfirm) return userView(user);
  const origin = { userId: user.id, method: "password", scopes: [] };
  const answer = await answerFor(provider.sessions.begin(origin), provider);
  await provider.save();
  return answer;
}

function readLink(request: Request, provider: Provider): Omit<LinkOptions, "type"> {
  const returnTo = chooseReturn(queryOf(request, "redirect_to"), provider);
  return { returnTo, codeChallenge: readCodeChallenge(request) };
}

/** Without a challenge, the link's session arrives in the fragment of the address. */
function readCodeChallenge(request: Request): CodeChallenge | undefined {
  const fields = fieldsOf(request);
  const given = textOf(fields, "code_challenge");
  const method = textOf(fields, "code_challenge_method");
  if (given === "" && method === "") return undefined;
  const challenge = parseCodeChallenge(given, method);
  if (typeof challenge === "string") throw new ApiError(400, "validation_failed", challenge);
  return challenge;
}
