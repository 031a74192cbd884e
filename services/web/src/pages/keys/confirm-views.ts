import { foreignText } from "@nutrition/core/foreign-text";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { Key } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import { csrfField } from "../../http/layout.ts";
import type { Visit } from "../../http/visit.ts";
import type { Choice } from "../choice-option.ts";
import { choiceOption } from "../choice-option.ts";
import type { FormErrors } from "../form-errors.ts";
import { errorAttributes, errorSummary, fieldError } from "../form-errors.ts";
import { keyName } from "./key-card.ts";

const NAME_CHARACTERS_MAX = 100;

/** Selectable overlaps of a replaced key, in seconds. */
export const OVERLAPS: readonly Choice[] = [
  ["0", "At once"],
  ["3600", "In 1 hour"],
  ["86400", "In 24 hours"],
  ["604800", "In 7 days"],
];

/** Asks for confirmation before a key is revoked. */
export function revokeView(key: Key, visit: Visit): Markup {
  return markup`<section class="card narrow">
    <h1>Revoke ${keyName(key)}?</h1>
    <p>Everything that uses <code>${key.prefix}…</code> stops working within seconds. This cannot be
      undone. What the key has written stays in your journal.</p>
    <form method="post" action="/settings/keys/${key.id}/revoke">
      ${csrfField(visit)}
      <div class="actions">
        <button class="danger">Revoke the key</button>
        <a class="button quiet" href="/settings/keys">Keep it</a>
      </div>
    </form>
  </section>`;
}

/** Asks for the key's new name; `typed` is a refused one. */
export function renameView(
  key: Key,
  {
    typed = foreignText(key.name, NAME_CHARACTERS_MAX),
    errors,
  }: { typed: string | undefined; errors: FormErrors },
  visit: Visit,
): Markup {
  return markup`<section class="card narrow">
    <h1>Rename ${keyName(key)}</h1>
    <p class="soft"><code>${key.prefix}…</code> goes on working as before.</p>
    ${errorSummary(errors)}
    <form method="post" action="/settings/keys/${key.id}/rename">
      ${csrfField(visit)}
      <label for="name">Name</label>
      <input id="name" name="name" value="${typed}" required maxlength="${NAME_CHARACTERS_MAX}" autocomplete="off" autofocus
        ${errorAttributes(errors, "name")} />
      ${fieldError(errors, "name")}
      <div class="actions">
        <button>Save the name</button>
        <a class="button quiet" href="/settings/keys">Cancel</a>
      </div>
    </form>
  </section>`;
}

/** Asks how to replace a key. `isRoomForBoth` is false if the account has the maximum number of keys. */
export function rotateView(
  key: Key,
  { isRoomForBoth, overlap = "86400" }: { isRoomForBoth: boolean; overlap: string | undefined },
  visit: Visit,
): Markup {
  const choice = isRoomForBoth
    ? markup`<label for="overlap">The old key ends</label>
        <select id="overlap" name="overlap">
          ${OVERLAPS.map((one) => choiceOption(one, overlap))}
        </select>
        <p class="hint">Time to put the new key in place. Until then both work.</p>`
    : markup`<input type="hidden" name="overlap" value="0" />
        <p class="warning">All your keys are in use, so the old key ends at once. Revoke another key
          first if you need time.</p>`;
  return markup`<section class="card narrow">
    <h1>Replace ${keyName(key)}</h1>
    <p>You get a new key with the same name, permissions and lifetime. It is shown once.</p>
    <form method="post" action="/settings/keys/${key.id}/rotate">
      ${csrfField(visit)}
      ${choice}
      <div class="actions">
        <button>Create the new key</button>
        <a class="button quiet" href="/settings/keys">Cancel</a>
      </div>
    </form>
  </section>`;
}
