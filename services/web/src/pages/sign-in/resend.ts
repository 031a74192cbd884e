import { markup } from "@nutrition/core/markup";
import express from "express";
import type { Router } from "express";

import { formField } from "../../http/form.ts";
import { csrfField } from "../../http/layout.ts";
import type { Page } from "../../http/page.ts";
import { sendPage } from "../../http/page.ts";
import type { Visit } from "../../http/visit.ts";
import { visitOf } from "../../http/visit.ts";
import type { FormErrors } from "../form-errors.ts";
import { errorSummary } from "../form-errors.ts";
import type { SignInDependencies } from "./dependencies.ts";
import { emailField } from "./view.ts";
import { retryMessage } from "./visitor-attempts.ts";

const ROUTE = "/sign-up/resend";

/** The page that sends a confirmation mail again, at most a few times a day per address. */
export function resendRoutes({
  provider,
  flows,
  mailRequests,
  logger,
}: SignInDependencies): Router {
  const router = express.Router({ caseSensitive: true });
  router.get(ROUTE, (_request, response) => {
    visitOf(response).route = ROUTE;
    sendPage(response, undefined, resendPage(visitOf(response), { email: "", errors: {} }));
  });
  router.post(ROUTE, async (request, response) => {
    visitOf(response).route = ROUTE;
    const email = formField(request, "email");
    const refuse = (message: string, status: number) => {
      const page = resendPage(visitOf(response), { email, errors: { email: message } });
      sendPage(response, undefined, { ...page, status });
    };
    if (email === "") return refuse("Enter your e-mail address.", 400);
    const waitMs = await mailRequests.take(request, email);
    if (waitMs > 0) return refuse(retryMessage(waitMs), 429);
    const trip = await flows.begin(response, "confirm", "/journal");
    // Not awaited: its duration or failure would reveal whether there is an account.
    void provider
      .resendConfirmation(email, { ...trip, clientAddress: request.ip })
      .catch((error: unknown) => {
        logger.warn({ err: error }, "a confirmation mail may not have been sent again");
      });
    response.redirect(303, "/sign-up?done=sent");
  });
  return router;
}

function resendPage(visit: Visit, { email, errors }: { email: string; errors: FormErrors }): Page {
  return {
    title: "Send the mail again",
    body: markup`<section class="card narrow">
      <h1>Send the mail again</h1>
      <p>If an account with this address waits for its confirmation, we send the link once more.</p>
      ${errorSummary(errors)}
      <form method="post" action="${ROUTE}">
        ${csrfField(visit)}
        ${emailField(email, errors)}
        <p class="actions"><button class="full">Send me the link</button></p>
      </form>
      <p class="soft"><a href="/sign-in">Back to sign in</a></p>
    </section>`,
  };
}
