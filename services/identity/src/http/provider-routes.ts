import { randomBytes, randomUUID } from "node:crypto";

import type { Request } from "express";
import express, { Router } from "express";

import { parseCodeChallenge } from "../domain/pkce.ts";
import { chooseReturn, withParameters } from "../domain/redirect.ts";
import { ApiError } from "../errors.ts";
import { signInElsewhere } from "../flows/accounts.ts";
import { sendPage } from "../pages/page.ts";
import { signInPage, STAND_INS } from "../pages/sign-in-page.ts";
import type { Provider, ProviderFlow } from "../provider.ts";
import { checkEmail } from "./new-password.ts";
import { fieldsOf, queryOf, textOf } from "./request.ts";

const NAME_MAX = 100;
const USERS_OFFERED = 5;

const form = express.urlencoded({ limit: 8_192, extended: false, parameterLimit: 10 });

/** Third-party sign-in, replaced by a page that trusts its input. */
export function providerRoutes(provider: Provider): Router {
  const { pending, directory, issuer } = provider;
  const router = Router();
  router.get("/authorize", (request, response) => {
    const flow = readFlow(request, provider);
    const id = randomBytes(16).toString("hex");
    pending.providerFlows.set(id, flow);
    response.redirect(302, `${issuer}/stand-in/${flow.provider}?flow=${id}`);
  });
  router.get("/stand-in/:provider", (request, response) => {
    const id = queryOf(request, "flow");
    const flow = getFlow(pending.providerFlows.get(id));
    const users = directory.listUsers(USERS_OFFERED);
    sendPage(response, signInPage({ flowId: id, provider: flow.provider, users }));
  });
  router.post("/stand-in/:provider", form, async (request, response) => {
    const fields = fieldsOf(request);
    const email = fields["action"] === "cancel" ? undefined : checkEmail(fields["email"]);
    const flow = getFlow(pending.providerFlows.take(textOf(fields, "flow")));
    const person = email === undefined ? undefined : { email, name: readName(fields, email) };
    response.redirect(303, await endFlow(flow, person, provider));
  });
  return router;
}

function readFlow(request: Request, provider: Provider): ProviderFlow {
  const name = queryOf(request, "provider");
  if (!Object.hasOwn(STAND_INS, name)) {
    throw new ApiError(400, "validation_failed", "Unsupported provider: provider is not enabled");
  }
  const codeChallenge = parseCodeChallenge(
    queryOf(request, "code_challenge"),
    queryOf(request, "code_challenge_method"),
  );
  if (typeof codeChallenge === "string") {
    throw new ApiError(400, "validation_failed", codeChallenge);
  }
  const returnTo = chooseReturn(queryOf(request, "redirect_to"), provider);
  return { provider: name, returnTo, codeChallenge };
}

function getFlow(flow: ProviderFlow | undefined): ProviderFlow {
  if (!flow) {
    throw new ApiError(
      400,
      "bad_oauth_state",
      "This sign-in has expired. Go back and start it again.",
    );
  }
  return flow;
}

function readName(fields: Record<string, unknown>, email: string): string {
  return textOf(fields, "name").trim().slice(0, NAME_MAX) || (email.split("@")[0] ?? email);
}

/** Redirects the browser; without a person, the sign-in was cancelled. */
async function endFlow(
  { provider: from, returnTo, codeChallenge }: ProviderFlow,
  person: { email: string; name: string } | undefined,
  provider: Provider,
): Promise<string> {
  if (!person) {
    return withParameters(returnTo, {
      error: "access_denied",
      error_description: "The user denied the request",
    });
  }
  const user = signInElsewhere(provider, { ...person, from });
  await provider.save();
  const code = randomUUID();
  const origin = { userId: user.id, method: "oauth", scopes: [] };
  provider.pending.signInCodes.set(code, { codeChallenge, origin });
  return withParameters(returnTo, { code });
}
