import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import { csrfField } from "../../http/layout.ts";
import type { Visit } from "../../http/visit.ts";
import type { FormErrors } from "../form-errors.ts";
import { errorAttributes, errorSummary, fieldError } from "../form-errors.ts";

export const LEAK_REPORT_ROUTE = "/report-key";

/** Asks for a key that was found in public. The page never repeats the key. */
export function leakReportView(
  { notice, errors }: { notice: Markup; errors: FormErrors },
  visit: Visit,
): Markup {
  return markup`<section class="card narrow">
    <h1>Report a leaked key</h1>
    ${notice}
    ${errorSummary(errors)}
    <p>If an API key of this service, yours or anybody's, was published by mistake, paste it here. It
      stops working within seconds, and its owner sees why. You need no account.</p>
    <form method="post" action="${LEAK_REPORT_ROUTE}">
      ${csrfField(visit)}
      <label for="api_key">The key</label>
      <input id="api_key" name="api_key" required maxlength="500" autocomplete="off"
        spellcheck="false" placeholder="service_live_…" ${errorAttributes(errors, "api_key")} />
      ${fieldError(errors, "api_key")}
      <label for="found_at">Where was it? (optional)</label>
      <input id="found_at" name="found_at" maxlength="500" autocomplete="off" />
      <div class="actions"><button class="danger">End this key</button></div>
    </form>
    <p class="soft">Programs report keys with <code>POST /keys/report-leak</code>:
      <a href="/docs#report-leak">how</a>.</p>
  </section>`;
}
