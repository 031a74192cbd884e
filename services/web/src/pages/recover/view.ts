import { markup } from "@nutrition/core/markup";

import { csrfField } from "../../http/layout.ts";
import type { Page } from "../../http/page.ts";
import type { Visit } from "../../http/visit.ts";
import type { FormErrors } from "../form-errors.ts";
import { errorSummary } from "../form-errors.ts";
import { emailField } from "../sign-in/view.ts";

/** Asks for the e-mail address to send a link to. */
export function recoverPage(
  visit: Visit,
  { returnTo, email, errors }: { returnTo: string; email: string; errors: FormErrors },
): Page {
  return {
    title: "Forgotten password",
    body: markup`<section class="card narrow">
      <h1>Forgot your password?</h1>
      <p>We send you a link with which you set a new one.</p>
      ${errorSummary(errors)}
      <form method="post" action="/recover">
        ${csrfField(visit)}
        <input type="hidden" name="return_to" value="${returnTo}" />
        ${emailField(email, errors)}
        <p class="actions"><button class="full">Send me a link</button></p>
      </form>
      <p class="soft"><a href="/sign-in">Back to sign in</a></p>
    </section>`,
  };
}

/** Identical whether or not there is such an account. */
export const SENT_PAGE: Page = {
  title: "Check your mail",
  body: markup`<section class="card narrow">
    <h1>Check your mail</h1>
    <p>If there is an account with that address, a link is on its way to it. It works once, not for long,
      and surely in this browser.</p>
    <p class="soft">If none comes, look into the spam folder, or <a href="/recover">try again</a> in some
      minutes.</p>
  </section>`,
};
