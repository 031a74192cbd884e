import { markup } from "@nutrition/core/markup";

import { renderPage } from "../docs/page.ts";
import type { DiscoveryOptions } from "./discovery-options.ts";

/** Describes the personal data that the software stores, below a link to the operator's own policy. */
export function renderPrivacy({ site, privacyUrl }: DiscoveryOptions): string {
  const { baseUrl, support } = site;
  const policy =
    privacyUrl === undefined
      ? markup`<p>Whoever runs ${baseUrl} is responsible for it. Questions and wishes: ${support}.</p>`
      : markup`<p>
          Whoever runs ${baseUrl} is responsible for it. Their policy:
          <a href="${privacyUrl}">${privacyUrl}</a>. Questions and wishes: ${support}.
        </p>`;
  const page = markup`<main class="alone">
    <p><a class="brand" href="/">Nutrition Journal</a></p>
    <h1>Privacy</h1>
    ${policy} ${FACTS}
  </main>`;
  return renderPage("Privacy", page);
}

const FACTS = markup`<h2>What is kept</h2>
  <ul>
    <li>Your account: name, e-mail address, and how you sign in.</li>
    <li>What you or your assistants log: lines of food and drink, details given for the estimate, figures, dates.</li>
    <li>What you set: goals, time zone, weights, and a health profile, if you fill it in.</li>
    <li>A record of every change: when, and by which key or assistant.</li>
    <li>Which assistants and keys you allowed, and how often they asked.</li>
  </ul>
  <p>Logs of the service hold no food text, no e-mail addresses and no credentials.</p>
  <h2>What it is used for</h2>
  <p>
    To estimate nutrition and to show you your journal. Food tables on this installation make the estimate;
    if its operator has set up a language model, the lines of food and their details are sent to it. Nothing
    else is sent to anybody, and there is no advertising and no tracking.
  </p>
  <h2>Who sees it</h2>
  <p>
    You, and the assistants and keys that you allow. What an assistant reads here is then with its provider,
    under that provider's policy. You can end each connection under
    <a href="/settings/connections">Connections</a> and each key under <a href="/settings/keys">API keys</a>;
    it takes effect within seconds. Signing in is the work of the identity provider that the operator has chosen.
  </p>
  <h2>Your copies, and erasure</h2>
  <p>
    You can download your journal under <a href="/settings/export">Export</a>. On request, whoever runs this
    installation exports everything about you, or erases your account with all that belongs to it.
  </p>`;
