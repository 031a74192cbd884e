import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import { csrfField } from "../../http/layout.ts";
import type { Visit } from "../../http/visit.ts";
import type { FormErrors } from "../form-errors.ts";
import { foreign } from "../foreign.ts";
import { errorAttributes, errorSummary, fieldError } from "../form-errors.ts";
import type { ViewerTime } from "../moment.ts";
import { exactMoment } from "../moment.ts";

export const ERASE_ROUTE = "/settings/erase";
export const KEEP_ROUTE = `${ERASE_ROUTE}/keep`;

/** Asks for confirmation before the account is scheduled to be erased. `mailTo`: null for no mail. */
export function eraseView(
  { errors, mailTo }: { errors: FormErrors; mailTo: string | null },
  visit: Visit,
): Markup {
  return markup`<section class="card narrow">
    <h1>Erase your account?</h1>
    ${errorSummary(errors)}
    <p>In 7 days, everything is erased for good: your journal, goals and weights, API keys, connected
      assistants, and your sign-in. Nobody can bring it back.</p>
    <p>Until then everything works as before, every page says when it happens, and one click keeps the
      account. ${
        mailTo === null
          ? "This service sends no mail about it: note the day."
          : markup`A mail to ${foreign(mailTo, 254)} says the same, in case it was not you who asked.`
      }</p>
    <p><a href="/settings/export">Download your data</a> first.</p>
    <form method="post" action="${ERASE_ROUTE}">
      ${csrfField(visit)}
      <label class="choice">
        <input type="checkbox" id="understood" name="understood" value="yes" required
          ${errorAttributes(errors, "understood")} />
        <span>I understand that my journal cannot be brought back.</span>
      </label>
      ${fieldError(errors, "understood")}
      <div class="actions">
        <button class="danger">Erase in 7 days</button>
        <a class="button quiet" href="/settings/profile#account">Keep my account</a>
      </div>
    </form>
  </section>`;
}

/** The page while the erasure is scheduled. `mailTo`: null for no mail. */
export function scheduledView(
  eraseAt: Date,
  { viewer, mailTo }: { viewer: ViewerTime; mailTo: string | null },
  visit: Visit,
): Markup {
  return markup`<section class="card narrow">
    <h1>Your account is going to be erased</h1>
    <p>On ${exactMoment(eraseAt, viewer)}, everything is erased for good. Until then you can change your
      mind. ${
        mailTo === null
          ? "This service sends no mail about it: note the day."
          : markup`A mail to ${foreign(mailTo, 254)} tells when it was done.`
      }</p>
    <p><a href="/settings/export">Download your data</a> before that.</p>
    ${keepForm(visit)}
  </section>`;
}

/** The notice on every page while the erasure is scheduled. */
export function erasureNotice(eraseAt: Date, visit: Visit): Markup {
  const moment = { timeZone: "UTC", now: eraseAt, locale: visit.locale };
  return markup`<section class="warning announced" aria-label="Erasure of your account">
    <p><strong>Your account is going to be erased</strong> on ${exactMoment(eraseAt, moment)} UTC, as was
      asked for in a browser that was signed in. If that was not you, keep the account and
      <a href="/settings/sign-in-methods">keep others out</a>.</p>
    ${keepForm(visit)}
  </section>`;
}

function keepForm(visit: Visit): Markup {
  return markup`<form method="post" action="${KEEP_ROUTE}" class="actions">
    ${csrfField(visit)}
    <button>Keep my account</button>
  </form>`;
}
