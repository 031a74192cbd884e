import { Failure } from "@nutrition/core/failure";
import express from "express";
import type { RequestHandler, Response, Router } from "express";

import { undefinedIfUnavailable } from "../../clients/call-options.ts";
import { returnPath } from "../../domain/return-path.ts";
import { formField, formSecret, queryField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import type { ThirdPartyFailure } from "../../identity-provider/identity-provider.ts";
import { visitOf } from "../../http/visit.ts";
import type { SignedIn } from "../../identity-provider/identity-provider.ts";
import type { FormErrors } from "../form-errors.ts";
import { doneNotice } from "../notice.ts";
import { callbackRoute } from "./callback.ts";
import type { SignInDependencies } from "./dependencies.ts";
import { useMailLink } from "./mail-link.ts";
import { newPasswordRoutes } from "./new-password.ts";
import { resendRoutes } from "./resend.ts";
import { signUpRoutes } from "./sign-up.ts";
import type { SignInState } from "./view.ts";
import { signInPage } from "./view.ts";
import { SIGN_IN_LIMITS, VisitorAttempts, retryMessage } from "./visitor-attempts.ts";

const THIRD_PARTY_NOTICES: Readonly<Record<ThirdPartyFailure, string>> = {
  declined: "The sign-in was not finished. Try again, or choose another way.",
  address_unconfirmed:
    "That service has not confirmed your e-mail address. Open the link in the mail that you were sent, then sign in again.",
  sign_up_closed:
    "New people cannot join here by themselves. Ask whoever runs this installation for an invitation.",
  blocked: "This sign-in is blocked. Ask whoever runs this installation.",
  failed:
    "That service could not sign you in. Try again in a few minutes, or choose another way; if it goes on, tell whoever runs this installation.",
};

const NOTICES = {
  ...THIRD_PARTY_NOTICES,
  "signed-out": "You are signed out.",
  "signed-out-everywhere": "You are signed out on all devices.",
  again: "Confirm that it is you: sign in again to continue where you were.",
};

const REFUSALS = {
  email_not_confirmed: {
    email:
      "Confirm this address first: open the link in the mail that you were sent, or have it sent again below.",
  },
  too_many_attempts: { email: "Too many attempts. Try again in a few minutes." },
  wrong_credentials: { password: "The e-mail address or the password is incorrect." },
  password_unproven: {
    password:
      "This password may be somebody else’s: it was chosen before your address was confirmed. Choose your own, with the link “Forgot your password?” below.",
  },
};

/** Signing in and out. */
export function signInPages(dependencies: SignInDependencies): Router {
  const { accountPages, sessions, provider } = dependencies;
  const router = express.Router({ caseSensitive: true });
  router.get("/sign-in", showSignIn(dependencies));
  router.post("/sign-in", signIn(dependencies));
  router.get("/sign-in/with/:provider", signInElsewhere(dependencies));
  router.get("/oauth/callback", callbackRoute(dependencies));
  router.post("/oauth/callback", useMailLink(dependencies));
  router.use(
    newPasswordRoutes(dependencies),
    signUpRoutes(dependencies),
    resendRoutes(dependencies),
  );
  router.post(
    "/sign-out",
    accountPages.page("/sign-out", async (_request, response, person) => {
      // First ends the session here, including copies of its cookie: the provider only stops renewals.
      await sessions.end(response, person);
      await undefinedIfUnavailable(provider.endSession(person.accessToken));
      response.redirect(303, "/sign-in?done=signed-out");
    }),
  );
  return router;
}

function showSignIn(dependencies: SignInDependencies): RequestHandler {
  return async (request, response) => {
    visitOf(response).route = "/sign-in";
    const returnTo = returnPath(queryField(request, "return_to"));
    const person = await dependencies.sessions.find(request, response);
    const isAgain = queryField(request, "done") === "again";
    if (person && !isAgain) return response.redirect(303, returnTo);
    const notice = doneNotice(request, NOTICES);
    show(response, dependencies, { returnTo, notice, email: person?.email ?? "", errors: {} });
  };
}

function signIn(dependencies: SignInDependencies): RequestHandler {
  const attempts = new VisitorAttempts(dependencies, SIGN_IN_LIMITS);
  return async (request, response) => {
    visitOf(response).route = "/sign-in";
    const returnTo = returnPath(formField(request, "return_to"));
    const [email, password] = [formField(request, "email"), formSecret(request, "password")];
    const refuse = (errors: FormErrors, status = 400) =>
      show(response, dependencies, { returnTo, email, errors, status });
    if (email === "") return refuse({ email: "Enter your e-mail address." });
    if (password === "") return refuse({ password: "Enter your password." });
    const waitMs = await attempts.take(request, email);
    if (waitMs > 0) return refuse({ email: retryMessage(waitMs) }, 429);
    const credentials = { email, password };
    const answer = await dependencies.provider.signInWithPassword(credentials, request.ip);
    if (answer.kind === "refused") return refuse(REFUSALS[answer.reason]);
    await attempts.forget(request, email);
    if (!(await beginUnlessUnproven(dependencies, response, answer)))
      return refuse(REFUSALS.password_unproven);
    await dependencies.devices.remember(request, response, email);
    response.redirect(303, returnTo);
  };
}

/** False, without a session anywhere, if a stranger may have chosen the password. */
async function beginUnlessUnproven(
  { signIns, provider }: SignInDependencies,
  response: Response,
  signedIn: SignedIn,
): Promise<boolean> {
  try {
    await signIns.begin(response, signedIn);
    return true;
  } catch (error) {
    if (!(error instanceof Failure) || error.reason !== "PASSWORD_UNPROVEN") throw error;
    await undefinedIfUnavailable(provider.endSession(signedIn.session.accessToken));
    return false;
  }
}

/** Uses links rather than forms, because the content security policy restricts forms to our own pages. */
function signInElsewhere({ provider, flows, thirdParties }: SignInDependencies): RequestHandler<{
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
  { thirdParties }: SignInDependencies,
  { status = 200, ...state }: Omit<SignInState, "thirdParties"> & { status?: number },
): void {
  const page = signInPage(visitOf(response), { ...state, thirdParties });
  sendPage(response, undefined, { ...page, status });
}
