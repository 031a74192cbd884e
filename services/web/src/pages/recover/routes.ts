import express from "express";
import type { RequestHandler, Router } from "express";

import { returnPath } from "../../domain/return-path.ts";
import type { AccountHandler } from "../../http/account-page.ts";
import { formField, formSecret, queryField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import { accessPath } from "../access/routes.ts";
import type { FormErrors } from "../form-errors.ts";
import { PASSWORD_REFUSALS, newPasswordErrors } from "../sign-in/new-password.ts";
import type { SignInDependencies } from "../sign-in/dependencies.ts";
import { MAIL_RATE, VisitorAttempts, retryMessage } from "../sign-in/visitor-attempts.ts";
import { clearRecovered, findRecovered } from "../../sessions/recovered.ts";
import { SENT_PAGE, newPasswordPage, recoverPage } from "./view.ts";

const ROUTE = "/recover";
const PASSWORD_ROUTE = "/recover/password";

/** The pages for resetting a forgotten password. */
export function recoverPages(dependencies: SignInDependencies): Router {
  const { accountPages } = dependencies;
  const router = express.Router({ caseSensitive: true });
  router.get(ROUTE, showRecover);
  router.post(ROUTE, askForMail(dependencies));
  router.get(PASSWORD_ROUTE, accountPages.page(PASSWORD_ROUTE, showNewPassword(dependencies)));
  router.post(PASSWORD_ROUTE, accountPages.page(PASSWORD_ROUTE, saveNewPassword(dependencies)));
  return router;
}

const showRecover: RequestHandler = (request, response) => {
  visitOf(response).route = ROUTE;
  if (queryField(request, "done") === "sent") return sendPage(response, undefined, SENT_PAGE);
  const returnTo = returnPath(queryField(request, "return_to"));
  const page = recoverPage(visitOf(response), { returnTo, email: "", errors: {} });
  sendPage(response, undefined, page);
};

function askForMail({
  provider,
  flows,
  clock,
  devices,
  logger,
}: SignInDependencies): RequestHandler {
  const attempts = new VisitorAttempts({ clock, devices, pace: MAIL_RATE });
  return async (request, response) => {
    visitOf(response).route = ROUTE;
    const returnTo = returnPath(formField(request, "return_to"));
    const email = formField(request, "email");
    const refuse = (message: string, status: number) => {
      const state = { returnTo, email, errors: { email: message } };
      sendPage(response, undefined, { ...recoverPage(visitOf(response), state), status });
    };
    if (email === "") return refuse("Enter your e-mail address.", 400);
    const waitMs = await attempts.take(request, email);
    if (waitMs > 0) return refuse(retryMessage(waitMs), 429);
    const clientAddress = request.ip;
    const trip = { ...(await flows.begin(response, "recover", returnTo)), clientAddress };
    // Not awaited: its duration or failure would reveal whether there is an account.
    void provider.requestRecovery(email, trip).catch((error: unknown) => {
      logger.warn({ err: error }, "a password recovery mail may not have been sent");
    });
    response.redirect(303, `${ROUTE}?done=sent`);
  };
}

function showNewPassword({ cookies }: SignInDependencies): AccountHandler {
  return async (request, response, person) => {
    if (!(await findRecovered(request, cookies, person))) return response.redirect(303, ROUTE);
    sendPage(response, person, newPasswordPage(visitOf(response), person.email, {}));
  };
}

/**
 * Ends the person's other sessions before setting the password, so that none survives a crash, and again
 * afterwards, to end those begun with the old password in between.
 */
function saveNewPassword({ provider, cookies, sessions }: SignInDependencies): AccountHandler {
  return async (request, response, person) => {
    const recovered = await findRecovered(request, cookies, person);
    if (!recovered) return response.redirect(303, ROUTE);
    const refuse = (errors: FormErrors) =>
      sendPage(response, person, {
        ...newPasswordPage(visitOf(response), person.email, errors),
        status: 400,
      });
    const password = formSecret(request, "password");
    const errors = newPasswordErrors(password);
    if (Object.keys(errors).length > 0) return refuse(errors);
    await sessions.endOthers(person);
    const refusal = await provider.setPassword(person.accessToken, {
      password,
      clientAddress: request.ip,
    });
    if (refusal) return refuse(PASSWORD_REFUSALS[refusal]);
    await sessions.replaceAll(response, person);
    clearRecovered(response, cookies);
    response.redirect(303, accessPath("password-changed", recovered.returnTo));
  };
}
