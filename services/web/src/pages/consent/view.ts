import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { Suspicion } from "../../domain/redirect-target.ts";
import { findSuspicions, readRedirectTarget } from "../../domain/redirect-target.ts";
import { csrfField } from "../../http/layout.ts";
import type { Page } from "../../http/page.ts";
import type { Visit } from "../../http/visit.ts";
import type { Person } from "../../clients/person.ts";
import { clientHome, clientName } from "../client-view.ts";
import { foreign } from "../foreign.ts";
import type { FormErrors } from "../form-errors.ts";
import { errorSummary } from "../form-errors.ts";
import type { PendingAuthorization } from "./authorization-store.ts";

export interface ConsentState {
  readonly asked: PendingAuthorization;
  readonly person: Person;
  /** Whether the account may be used with assistants. */
  readonly hasAccess: boolean;
  readonly errors: FormErrors;
}

/** Shows who asks, the address that receives the answer, and what the person can allow. */
export function consentPage(
  visit: Visit,
  { asked, person, hasAccess, errors }: ConsentState,
): Page {
  const target = readRedirectTarget(asked.redirectUri)!;
  const name = clientName(asked.clientName);
  return {
    title: "Connect an assistant",
    body: markup`<section class="card narrow consent">
      <h1>Connect ${name} to your journal?</h1>
      ${errorSummary(errors)}
      <dl class="facts">
        <div><dt>Returns to</dt><dd>${clientHome(target.host)}</dd></div>
        <div><dt>Calls itself</dt><dd>${name} <span class="tag">not verified</span></dd></div>
        <div><dt>Signed in as</dt><dd>${foreign(person.email === "" ? person.name : person.email)}</dd></div>
      </dl>
      ${findSuspicions(asked.clientName, target).map((one) => warningOf(one, asked, target.host))}
      ${hasAccess ? NOTHING : NO_ACCESS}
      <form method="post" action="/oauth/consent">
        ${csrfField(visit)}
        <input type="hidden" name="authorization_id" value="${asked.id}" />
        <h2>What may it do?</h2>
        ${decisions()}
        <p class="hint">It never sees your password or your API keys, and cannot change your settings.
          You can change this or disconnect it at any time under Assistants.</p>
        <p class="hint">Not you?
          <button name="decision" value="switch" class="link">Use another account</button></p>
      </form>
    </section>`,
  };
}

const NOTHING = markup``;

/** The possible decisions; none is preselected. */
const DECISIONS = [
  [
    "write",
    "Read and log",
    "It sees what you ate and drank, your totals, goals and weights, and your profile with name, e-mail address and health details. It can add, change, merge and delete food.",
  ],
  ["read", "Read only", "It sees the same, and can change nothing."],
  ["deny", "Deny", "It gets nothing, and you go back to where you came from."],
] as const;

function decisions(): Markup {
  return markup`<div id="decision" class="decisions">${DECISIONS.map(
    ([
      value,
      name,
      meaning,
    ]) => markup`<button name="decision" value="${value}" class="quiet" aria-describedby="decision-${value}">${name}</button>
      <p id="decision-${value}" class="soft">${meaning}</p>`,
  )}</div>`;
}

const NO_ACCESS = markup`<p class="warning"><strong>Your account does not include assistants yet.</strong>
  You can allow this now, but requests are refused until you have premium or beta access.
  <a href="/settings/profile">See your account</a></p>`;

function warningOf(
  suspicion: Suspicion,
  { clientName: name }: PendingAuthorization,
  host: string,
): Markup {
  return markup`<p class="warning" role="note">${textOf(suspicion, name, host)}</p>`;
}

function textOf(suspicion: Suspicion, name: string, host: string): Markup {
  switch (suspicion) {
    case "device":
      return markup`<strong>This goes to a program on your own device</strong> (<code>${host}</code>).
        Any program there can call itself anything. Allow it only if you have just started this
        yourself.`;
    case "app":
      return markup`<strong>This goes to an app on your device.</strong> Another app could have claimed
        the same links. Allow it only if you have just started this yourself.`;
    case "foreign_letters":
      return markup`<strong>The address has letters that can look like others.</strong> Compare it
        letter by letter: <code>${host}</code>`;
    case "mixed_letters":
      return markup`<strong>The name mixes alphabets</strong> whose letters look alike. Trust the
        address, not the name.`;
    case "borrowed_name":
      return markup`<strong>The assistant of that name has another address.</strong>
        ${clientName(name)} would return to <code>${host}</code>. Allow it only if you know that address.`;
  }
}
