import express from "express";
import type { RequestHandler, Router } from "express";

import { returnPath } from "../../domain/return-path.ts";
import { formField, queryField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { SignInDependencies } from "../sign-in/dependencies.ts";
import { retryMessage } from "../sign-in/visitor-attempts.ts";
import { SENT_PAGE, recoverPage } from "./view.ts";

const ROUTE = "/recover";

/** The page that sends a link to a new password. */
export function recoverPages(dependencies: SignInDependencies): Router {
  const router = express.Router({ caseSensitive: true });
  router.get(ROUTE, showRecover);
  router.post(ROUTE, askForMail(dependencies));
  return router;
}

const showRecover: RequestHandler = (request, response) => {
  visitOf(response).route = ROUTE;
  if (queryField(request, "done") === "sent") return sendPage(response, undefined, SENT_PAGE);
  const returnTo = returnPath(queryField(request, "return_to"));
  const page = recoverPage(visitOf(response), { returnTo, email: "", errors: {} });
  sendPage(response, undefined, page);
};

function askForMail({ provider, flows, mailRequests, logger }: SignInDependencies): RequestHandler {
  return async (request, response) => {
    visitOf(response).route = ROUTE;
    const returnTo = returnPath(formField(request, "return_to"));
    const email = formField(request, "email");
    const refuse = (message: string, status: number) => {
      const state = { returnTo, email, errors: { email: message } };
      sendPage(response, undefined, { ...recoverPage(visitOf(response), state), status });
    };
    if (email === "") return refuse("Enter your e-mail address.", 400);
    const waitMs = await mailRequests.take(request, email);
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
