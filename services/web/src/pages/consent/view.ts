import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { Suspicion } from "../../domain/redirect-target.ts";
import { findSuspicions, readRedirectTarget } from "../../domain/redirect-target.ts";
import { csrfField } from "../../http/layout.ts";
import type { Page } from "../../http/page.ts";
import type { Visit } from "../../http/visit.ts";
import type { Person } from "../../sessions/session.ts";
import { clientHome, clientName, permissionChoices } from "../client-view.ts";
import { foreign } from "../foreign.ts";
import type { FormErrors } from "../form-errors.ts";
import { errorSummary } from "../form-errors.ts";
import type { AskedAuthorization } from "./consent-memory.ts";

export interface ConsentState {
  readonly asked: AskedAuthorization;
  readonly person: Person;
  /** Whether the account may be used with assistants. */
  readonly hasAccess: boolean;
  readonly errors: FormErrors;
}

/** Shows who asks, where the answer goes and what it would allow. */
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
        <fieldset id="permission">
          <legend>What may it do?</legend>
          ${permissionChoices("read")}
        </fieldset>
        <p class="hint">It never sees your password or your API keys, and cannot change your settings.
          You can change this or disconnect it at any time under Assistants.</p>
        <div class="actions even">
          <button name="decision" value="deny" class="quiet" formnovalidate>Deny</button>
          <button name="decision" value="allow">Allow</button>
        </div>
        <p class="hint">Not you?
          <button name="decision" value="switch" class="link" formnovalidate>Use another account</button></p>
      </form>
    </section>`,
  };
}

const NOTHING = markup``;

const NO_ACCESS = markup`<p class="warning"><strong>Your account does not include assistants yet.</strong>
  You can allow this now, but requests are refused until you have premium or beta access.
  <a href="/settings/profile">See your account</a></p>`;

function warningOf(
  suspicion: Suspicion,
  { clientName: name }: AskedAuthorization,
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
      return markup`<strong>The name mixes alphabets</strong> that have letters of the same looks. Go
        by the address, not by the name.`;
    case "borrowed_name":
      return markup`<strong>This is not where the assistant of that name lives.</strong>
        ${clientName(name)} would return to <code>${host}</code>. Allow it only if you know that address.`;
  }
}
