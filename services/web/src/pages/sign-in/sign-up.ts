import { markup } from "@nutrition/core/markup";
import express from "express";
import type { Response, Router } from "express";

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
import { MAIL_RATE, VisitorAttempts, retryMessage } from "./visitor-attempts.ts";
import { emailField, passwordField } from "./view.ts";

const REFUSALS: Readonly<Record<SignUpRefusal, FormErrors>> = {
  ...PASSWORD_REFUSALS,
  sign_up_closed: { email: "New accounts are currently not open." },
  address_unusable: { email: "Enter an e-mail address that can receive mail." },
  address_not_allowed: { email: "New accounts are not open for this address." },
  address_malformed: { email: "Enter an e-mail address such as person@example.com." },
  other: { email: "The account could not be created. If you already have one, sign in instead." },
};

interface SignUpState {
  readonly returnTo: string;
  readonly email: string;
  readonly errors: FormErrors;
}

/** Pages for creating an account. */
export function signUpRoutes({
  provider,
  flows,
  signIns,
  clock,
  devices,
}: SignInDependencies): Router {
  const router = express.Router({ caseSensitive: true });
  const attempts = new VisitorAttempts({ clock, devices, pace: MAIL_RATE });

  router.get("/sign-up", (request, response) => {
    visitOf(response).route = "/sign-up";
    if (queryField(request, "done") === "sent")
      return sendPage(response, undefined, CONFIRMATION_SENT_PAGE);
    const returnTo = returnPath(queryField(request, "return_to"));
    show(response, { returnTo, email: "", errors: {} }, 200);
  });

  router.post("/sign-up", async (request, response) => {
    visitOf(response).route = "/sign-up";
    const returnTo = returnPath(formField(request, "return_to"));
    const email = formField(request, "email");
    const password = formSecret(request, "password");
    const refuse = (errors: FormErrors, status = 400) =>
      show(response, { returnTo, email, errors }, status);
    const errors =
      email === "" ? { email: "Enter your e-mail address." } : newPasswordErrors(password);
    if (Object.keys(errors).length > 0) return refuse(errors);
    const waitMs = await attempts.take(request, email);
    if (waitMs > 0) return refuse({ email: retryMessage(waitMs) }, 429);
    const trip = await flows.begin(response, "confirm", returnTo);
    const answer = await provider.signUp(
      { email, password },
      { ...trip, clientAddress: request.ip },
    );
    if (answer.kind === "confirm") return response.redirect(303, "/sign-up?done=sent");
    if (answer.kind === "refused") return refuse(REFUSALS[answer.reason]);
    await signIns.begin(response, answer);
    await devices.remember(request, response, email);
    response.redirect(303, returnTo);
  });
  return router;
}

function show(response: Response, state: SignUpState, status: number): void {
  sendPage(response, undefined, { ...signUpPage(visitOf(response), state), status });
}

function signUpPage(visit: Visit, { returnTo, email, errors }: SignUpState): Page {
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
        ${passwordField({ label: "New password", autocomplete: "new-password", errors, isFocused: email !== "" && !errors["email"] })}
        <p class="hint">At least 8 characters. A few words that nobody would guess are best.</p>
        <p class="actions"><button class="full">Make my account</button></p>
      </form>
      <p class="soft">Have an account? <a href="/sign-in${query}">Sign in</a></p>
    </section>`,
  };
}

/** Identical whether or not there is such an account. */
export const CONFIRMATION_SENT_PAGE: Page = {
  title: "Check your mail",
  body: markup`<section class="card narrow">
    <h1>Check your mail</h1>
    <p>We have sent you a link that confirms your address. It is valid for an hour; opened in this
      browser, it signs you in.</p>
    <p class="soft">Nothing there? Check the spam folder, <a href="/sign-up/resend">have it sent
      again</a>, or <a href="/sign-in">sign in</a> if you have an account already.</p>
  </section>`,
};
