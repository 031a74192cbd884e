import { markup } from "@nutrition/core/markup";
import express from "express";
import type { RequestHandler, Response, Router } from "express";

import { returnPath } from "../../domain/return-path.ts";
import { formField, formSecret, queryField } from "../../http/form.ts";
import { csrfField } from "../../http/layout.ts";
import { sendPage } from "../../http/page.ts";
import type { Page } from "../../http/page.ts";
import type { Visit } from "../../http/visit.ts";
import { visitOf } from "../../http/visit.ts";
import type { SignUpRefusal } from "../../identity-provider/identity-provider.ts";
import type { FormErrors } from "../form-errors.ts";
import { errorSummary } from "../form-errors.ts";
import { PASSWORD_REFUSALS, newPasswordErrors } from "./new-password.ts";
import type { SignInDependencies } from "./dependencies.ts";
import { retryMessage } from "./visitor-attempts.ts";
import { emailField, newPasswordField } from "./view.ts";

const REFUSALS: Readonly<Record<SignUpRefusal, FormErrors>> = {
  weak_password: PASSWORD_REFUSALS.weak_password,
  too_many_attempts: { email: "Too many attempts. Try again in a few minutes." },
  sign_up_closed: { email: "New accounts are currently not open." },
  address_unusable: { email: "Enter an e-mail address that can receive mail." },
  address_not_allowed: { email: "New accounts are not open for this address." },
  address_malformed: { email: "Enter an e-mail address such as person@example.com." },
  other: { email: "The account could not be created. If you already have one, sign in instead." },
};

interface SignUpState {
  readonly returnTo: string;
  readonly email: string;
  /** Whether the person chooses the password now, because no mail follows. */
  readonly asksForPassword: boolean;
  readonly errors: FormErrors;
}

/** Pages for creating an account. */
export function signUpRoutes(dependencies: SignInDependencies): Router {
  const { provider } = dependencies;
  const router = express.Router({ caseSensitive: true });
  router.get("/sign-up", async (request, response) => {
    visitOf(response).route = "/sign-up";
    if (queryField(request, "done") === "sent")
      return sendPage(response, undefined, CONFIRMATION_SENT_PAGE);
    const returnTo = returnPath(queryField(request, "return_to"));
    const asksForPassword = !(await provider.confirmsByMail());
    show(response, { returnTo, email: "", asksForPassword, errors: {} }, 200);
  });
  router.post("/sign-up", signUp(dependencies));
  return router;
}

function signUp({
  provider,
  flows,
  signIns,
  devices,
  mailRequests,
}: SignInDependencies): RequestHandler {
  return async (request, response) => {
    visitOf(response).route = "/sign-up";
    const returnTo = returnPath(formField(request, "return_to"));
    const email = formField(request, "email");
    const asksForPassword = !(await provider.confirmsByMail());
    const password = asksForPassword ? formSecret(request, "password") : undefined;
    const refuse = (errors: FormErrors, status = 400) =>
      show(response, { returnTo, email, asksForPassword, errors }, status);
    if (email === "") return refuse({ email: "Enter your e-mail address." });
    const errors = password === undefined ? {} : newPasswordErrors(password);
    if (Object.keys(errors).length > 0) return refuse(errors);
    const waitMs = await mailRequests.take(request, email);
    if (waitMs > 0) return refuse({ email: retryMessage(waitMs) }, 429);
    const trip = await flows.begin(response, "confirm", returnTo);
    const person = { email, ...(password !== undefined && { password }) };
    const answer = await provider.signUp(person, { ...trip, clientAddress: request.ip });
    if (answer.kind === "confirm") return response.redirect(303, "/sign-up?done=sent");
    if (answer.kind === "refused") return refuse(REFUSALS[answer.reason]);
    await signIns.begin(response, answer);
    await devices.remember(request, response, email);
    response.redirect(303, returnTo);
  };
}

function show(response: Response, state: SignUpState, status: number): void {
  sendPage(response, undefined, { ...signUpPage(visitOf(response), state), status });
}

function signUpPage(visit: Visit, { returnTo, email, asksForPassword, errors }: SignUpState): Page {
  const query = returnTo === "/journal" ? "" : `?return_to=${encodeURIComponent(returnTo)}`;
  return {
    title: "Create an account",
    body: markup`<section class="card narrow">
      <h1>Create an account</h1>
      ${errorSummary(errors)}
      <form method="post" action="/sign-up">
        ${csrfField(visit)}
        <input type="hidden" name="return_to" value="${returnTo}" />
        ${emailField(email, errors)}
        ${
          asksForPassword
            ? newPasswordField(errors, email !== "" && !errors["email"])
            : markup`<p class="hint">We send you a link, with which you choose your password.</p>`
        }
        <p class="actions"><button class="full">${asksForPassword ? "Make my account" : "Send me the link"}</button></p>
      </form>
      <p class="soft">Have an account? <a href="/sign-in${query}">Sign in</a></p>
    </section>`,
  };
}

/** Identical whether or not there is such an account, and whether or not a mail was sent. */
const CONFIRMATION_SENT_PAGE: Page = {
  title: "Check your mail",
  body: markup`<section class="card narrow">
    <h1>Check your mail</h1>
    <p>We send you a link with which you confirm your address and choose your password. It works once, and
      not for long.</p>
    <p class="soft">If none comes, look into the spam folder, or <a href="/sign-up/resend">try again</a> in
      some minutes. If you have an account already, <a href="/sign-in">sign in</a>.</p>
  </section>`,
};
