import express from "express";
import type { RequestHandler, Response, Router } from "express";

import { orNothing } from "../../clients/person-calls.ts";
import { returnPath } from "../../domain/return-path.ts";
import { formField, formSecret, queryField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { FormErrors } from "../form-errors.ts";
import { doneNotice } from "../notice.ts";
import { callbackRoute } from "./callback.ts";
import type { SignInParts } from "./parts.ts";
import { signUpRoutes } from "./sign-up.ts";
import type { SignInState } from "./view.ts";
import { signInPage } from "./view.ts";
import { GUESSES, VisitorAttempts, retryMessage } from "./visitor-attempts.ts";

const NOTICES = {
  "signed-out": "You are signed out.",
  "signed-out-everywhere": "You are signed out on all devices.",
  again: "Confirm that it is you: sign in again to continue where you were.",
  cancelled: "The sign-in was not finished. Try again, or choose another way.",
};

const REFUSALS = {
  email_not_confirmed: {
    email: "Confirm this address first: open the link in the mail that you were sent.",
  },
  too_many_attempts: { email: "Too many attempts. Try again in a few minutes." },
  wrong_credentials: { password: "The e-mail address or the password is incorrect." },
};

/** Signing in and out. */
export function signInPages(parts: SignInParts): Router {
  const { accountPages, sessions, provider } = parts;
  const router = express.Router({ caseSensitive: true });
  router.get("/sign-in", showSignIn(parts));
  router.post("/sign-in", signIn(parts));
  router.get("/sign-in/with/:provider", signInElsewhere(parts));
  router.get("/oauth/callback", callbackRoute(parts));
  router.use(signUpRoutes(parts));
  router.post(
    "/sign-out",
    accountPages.page("/sign-out", async (_request, response, person) => {
      // First ends the session for copies of the cookie too: the provider only stops renewals.
      await sessions.end(response, person);
      await orNothing(provider.endSession(person.accessToken));
      response.redirect(303, "/sign-in?done=signed-out");
    }),
  );
  return router;
}

function showSignIn(parts: SignInParts): RequestHandler {
  return async (request, response) => {
    visitOf(response).route = "/sign-in";
    const returnTo = returnPath(queryField(request, "return_to"));
    const person = await parts.sessions.find(request, response);
    const isAgain = queryField(request, "done") === "again";
    if (person && !isAgain) return response.redirect(303, returnTo);
    const notice = doneNotice(request, NOTICES);
    show(response, parts, { returnTo, notice, email: person?.email ?? "", errors: {} });
  };
}

function signIn(parts: SignInParts): RequestHandler {
  const attempts = new VisitorAttempts({ ...parts, pace: GUESSES });
  return async (request, response) => {
    visitOf(response).route = "/sign-in";
    const returnTo = returnPath(formField(request, "return_to"));
    const [email, password] = [formField(request, "email"), formSecret(request, "password")];
    const refuse = (errors: FormErrors, status = 400) =>
      show(response, parts, { returnTo, email, errors, status });
    if (email === "") return refuse({ email: "Enter your e-mail address." });
    if (password === "") return refuse({ password: "Enter your password." });
    const waitMs = await attempts.take(request, email);
    if (waitMs > 0) return refuse({ email: retryMessage(waitMs) }, 429);
    const credentials = { email, password };
    const answer = await parts.provider.signInWithPassword(credentials, request.ip);
    if (answer.kind === "refused") return refuse(REFUSALS[answer.reason]);
    await attempts.forget(request, email);
    await parts.signIns.begin(response, answer);
    await parts.devices.remember(request, response, email);
    response.redirect(303, returnTo);
  };
}

/**
 * Reached by links rather than forms, because the content security policy restricts forms to our
 * own pages.
 */
function signInElsewhere({ provider, flows, thirdParties }: SignInParts): RequestHandler<{
  provider: string;
}> {
  return async (request, response, next) => {
    visitOf(response).route = "/sign-in/with/:provider";
    const { provider: thirdParty } = request.params;
    if (!thirdParties.includes(thirdParty)) return next();
    const returnTo = returnPath(queryField(request, "return_to"));
    const trip = await flows.begin(response, "third_party", returnTo);
    response.redirect(303, provider.thirdPartyUrl(thirdParty, trip));
  };
}

function show(
  response: Response,
  { thirdParties }: SignInParts,
  { status = 200, ...state }: Omit<SignInState, "thirdParties"> & { status?: number },
): void {
  const page = signInPage(visitOf(response), { ...state, thirdParties });
  sendPage(response, undefined, { ...page, status });
}
