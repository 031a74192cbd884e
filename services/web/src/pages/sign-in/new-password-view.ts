import { markup } from "@nutrition/core/markup";

import { csrfField } from "../../http/layout.ts";
import type { Page } from "../../http/page.ts";
import type { Visit } from "../../http/visit.ts";
import type { FormErrors } from "../form-errors.ts";
import { errorSummary } from "../form-errors.ts";
import { foreign } from "../foreign.ts";
import { newPasswordField } from "./view.ts";

/** Path to which the form is sent. */
export const NEW_PASSWORD_ROUTE = "/sign-in/password";

const EMAIL_CHARACTERS_MAX = 254;

export interface NewPasswordState {
  readonly email: string;
  /** The opened link, encrypted. */
  readonly sealed: string;
  readonly isRecovery: boolean;
  readonly errors: FormErrors;
}

/** Asks for the password of the account with this address, which the link has confirmed. */
export function newPasswordPage(
  visit: Visit,
  { email, sealed, isRecovery, errors }: NewPasswordState,
): Page {
  const title = isRecovery ? "Choose a new password" : "Choose a password";
  const address = markup`<strong>${foreign(email, EMAIL_CHARACTERS_MAX)}</strong>`;
  return {
    title,
    status: Object.keys(errors).length > 0 ? 400 : 200,
    body: markup`<section class="card narrow">
      <h1>${title}</h1>
      <p>${isRecovery ? markup`For the account of ${address}.` : markup`${address} is confirmed. One last step: choose the password of its account.`}
        Not your address? Close this page.</p>
      ${errorSummary(errors)}
      <form method="post" action="${NEW_PASSWORD_ROUTE}">
        ${csrfField(visit)}
        <input type="hidden" name="link" value="${sealed}" />
        <input name="username" autocomplete="username" value="${email}" readonly hidden />
        ${newPasswordField(errors, true)}
        <p class="actions"><button class="full">Save the password</button></p>
      </form>
    </section>`,
  };
}

/** The form is too old, or a newer link was used. */
export const OUTDATED_PAGE: Page = {
  title: "This page is too old",
  status: 400,
  body: markup`<section class="card narrow">
    <h1>This page is too old</h1>
    <p>A password can be set for 15 minutes after the link in the mail was opened, and only with the newest
      link. Ask for a new one.</p>
    <p class="actions"><a class="button" href="/recover">Send me a new link</a></p>
  </section>`,
};
