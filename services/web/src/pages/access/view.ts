import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { Grant, Key } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import { describeScopes } from "../../domain/keys.ts";
import { csrfField } from "../../http/layout.ts";
import type { Page } from "../../http/page.ts";
import type { Visit } from "../../http/visit.ts";
import { clientHome, clientName } from "../client-view.ts";
import { keyName } from "../keys/key-card.ts";

/** Path of the page that lists and revokes all access to an account. */
export const ACCESS_ROUTE = "/settings/access";

export interface AccessState {
  /** Active keys. */
  readonly keys: readonly Key[];
  /** Live connections. */
  readonly grants: readonly Grant[];
  readonly notice: Markup;
  /** Path at which the person continues. */
  readonly returnTo: string;
}

/** Lists all keys and assistants with access, so that the person can revoke them. */
export function accessPage(visit: Visit, state: AccessState): Page {
  const { keys, grants, notice, returnTo } = state;
  const isEmpty = keys.length + grants.length === 0;
  return {
    title: "Who has access",
    body: markup`<h1>Who has access</h1>
      ${notice}
      ${isEmpty ? nothingLeft(returnTo) : choices(state, visit)}
      <section class="card" aria-labelledby="devices">
        <h2 id="devices">Signed-in devices</h2>
        <p>Lost a device, or signed in on one that is not yours? Sign out everywhere, this browser
          included. API keys and assistants keep working.</p>
        <form method="post" action="/settings/sign-out-everywhere">
          ${csrfField(visit)}
          <div class="actions"><button class="quiet danger">Sign out everywhere</button></div>
        </form>
      </section>`,
  };
}

function nothingLeft(returnTo: string): Markup {
  return markup`<section class="card">
    <p>You have no API keys and no connected assistants.</p>
    <p class="actions"><a class="button" href="${returnTo}">Continue</a></p>
  </section>`;
}

function choices({ keys, grants, returnTo }: AccessState, visit: Visit): Markup {
  return markup`<section class="card" aria-labelledby="others">
    <h2 id="others">API keys and assistants</h2>
    <p>API keys do not use your password, so they keep working when it changes, and assistants stay
      allowed. If somebody else may have been in your account, end what you do not recognize, or all
      of it.</p>
    <form method="post" action="${ACCESS_ROUTE}">
      ${csrfField(visit)}
      <input type="hidden" name="return_to" value="${returnTo}" />
      ${group("API keys", keys.map(keyChoice))}
      ${group("Assistants", grants.map(grantChoice))}
      <div class="actions">
        <button class="danger" name="end" value="chosen">End the chosen ones</button>
        <button class="quiet danger" name="end" value="all">End all of them</button>
        <a class="button quiet" href="${returnTo}">Keep all</a>
      </div>
    </form>
  </section>`;
}

function group(legend: string, options: readonly Markup[]): Markup {
  if (options.length === 0) return markup``;
  return markup`<fieldset><legend>${legend}</legend>${options}</fieldset>`;
}

function keyChoice(key: Key): Markup {
  return choice("key_id", key.id, [
    keyName(key),
    markup`<code>${key.prefix}…</code>, ${describeScopes(key.scopes)}`,
  ]);
}

function grantChoice(grant: Grant): Markup {
  return choice("client_id", grant.clientId, [
    clientName(grant.clientName),
    markup`Returns to ${clientHome(grant.redirectHost)}, ${describeScopes(grant.scopes)}`,
  ]);
}

function choice(name: string, value: string, [title, details]: readonly [Markup, Markup]): Markup {
  return markup`<label class="choice">
    <input type="checkbox" name="${name}" value="${value}" />
    <span>${title}<br /><span class="soft">${details}</span></span>
  </label>`;
}
