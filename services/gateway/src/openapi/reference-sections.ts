import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import { OPEN_PER_ACCOUNT_MAX, OPEN_PER_CREDENTIAL_MAX } from "../access/in-flight.ts";
import { LEAK_REPORTS_MAX, LEAK_REPORT_PATH } from "../routes/leak-report.ts";
import type { LimitRow } from "./policy-limits.ts";
import { table } from "./reference-table.ts";

/** The section on authentication. */
export function authentication(baseUrl: string, hasOAuth: boolean): Markup {
  const oauth = hasOAuth
    ? markup`<p>
        Assistants sign in with OAuth 2.1 instead; they find everything at
        <a href="/.well-known/oauth-protected-resource"
          >${baseUrl}/.well-known/oauth-protected-resource</a
        >. What an assistant may do, the person chooses when connecting it, and changes or takes back
        under <code>${baseUrl}/settings/connections</code>. Connections need a premium or beta
        account.
      </p>`
    : markup`<p>OAuth sign-in is not set up in this installation.</p>`;
  return markup`<h2 id="authentication">Authentication</h2>
    <p>
      Create an API key under <code>${baseUrl}/settings/keys</code> and send it with every request.
      Keys look like <code>service_live_…</code>; treat them like passwords.
    </p>
    <pre>Authorization: Bearer $API_KEY</pre>
    <p>
      Clients that cannot set that header send <code>X-Service-API-Key: $API_KEY</code>. Reading
      needs the permission <code>service.read</code>; tools that write also need
      <code>nutrition.write</code> and a premium or beta account.
    </p>
    ${oauth} ${leakedKeys(baseUrl)}`;
}

function leakedKeys(baseUrl: string): Markup {
  const report = `{"key": "service_live_…", "found_at": "where"}`;
  return markup`<h3 id="report-leak">Leaked keys</h3>
    <p>
      A key that is found in public can be reported by anybody, without a credential. It is refused
      everywhere within 5 seconds, and the answer is <code>{"revoked": true}</code>; it is
      <code>{"revoked": false}</code> for whatever is no live key.
    </p>
    <pre>curl -H "Content-Type: application/json" -d '${report}' ${baseUrl}${LEAK_REPORT_PATH}</pre>`;
}

/** What is limited beside the policies of the limits service. */
const LIMITS: readonly LimitRow[] = [
  [
    "Requests open at a time",
    `${OPEN_PER_CREDENTIAL_MAX} of a key or connection, ${OPEN_PER_ACCOUNT_MAX} of an account; one more is 429 and not counted`,
  ],
  ["Lines in one log_food call", "12"],
  ["Length of food_text", "500 characters"],
  ["Length of detailed_description", "1,498 characters"],
  ["Text and details together", "2,000 characters"],
  ["limit of food entries", "1 to 90, default 14"],
  ["limit of weight history", "1 to 365, default 30"],
  ["Active API keys", "10 per user"],
  ["Body of a tool call", "256 KiB"],
  ["Reports of leaked keys", `${LEAK_REPORTS_MAX} per minute and address`],
];

/** What is limited; `policies` are those of the limits service. */
export function limitsSection(policies: readonly LimitRow[]): Markup {
  return markup`<h2 id="limits">Limits</h2>
    <p>
      All windows are rolling. Every authenticated answer tells what is left in
      <code>RateLimit-Policy</code> and <code>RateLimit</code>; a refusal says when to come back in
      <code>Retry-After</code>. A request that fails for a reason of ours (500, 503) gives its count
      back.
    </p>
    ${table([], [...policies, ...LIMITS])}`;
}
