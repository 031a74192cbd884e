import { newId } from "@nutrition/core/ids";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { Profile } from "../../clients/account-profile.ts";
import { hasFullAccess } from "../../clients/account-profile.ts";
import type { KeyForm } from "../../domain/keys.ts";
import { csrfField } from "../../http/layout.ts";
import type { Visit } from "../../http/visit.ts";
import type { Choice } from "../choice-option.ts";
import { choiceOption } from "../choice-option.ts";
import type { FormErrors } from "../form-errors.ts";
import { errorAttributes, fieldError } from "../form-errors.ts";

const LOGGING = "Also log, correct, merge and delete food.";
const LOGGING_LATER =
  " Your account does not have the premium or beta access yet that logging needs: ask whoever runs this service. Until then, such a key only reads.";
const EXPIRIES: readonly Choice[] = [
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
  ["date", "At the end of a day of my choice"],
  ["never", "Never"],
];

export interface CreateKeyPart {
  readonly form: KeyForm;
  readonly errors: FormErrors;
  /** Undefined when unknown. */
  readonly profile: Profile | undefined;
}

/** The form for a new key. It contains a creation id, so that sending it twice creates one key. */
export function createKeyForm({ form, errors, profile }: CreateKeyPart, visit: Visit): Markup {
  const isBasic = profile !== undefined && !hasFullAccess(profile);
  return markup`<form method="post" action="/settings/keys">
    ${csrfField(visit)}
    <input type="hidden" name="creation_id" value="${newId()}" />
    <label for="name">Name</label>
    <input id="name" name="name" value="${form.name}" required maxlength="100" autocomplete="off"
      ${errorAttributes(errors, "name")} />
    ${fieldError(errors, "name")}
    <p class="hint">What will use it, such as “Backup script on my laptop”.</p>
    <fieldset id="access">
      <legend>The key may</legend>
      ${choice(form, "read", ["Read only", "Journal, goals, profile and weights."])}
      ${choice(form, "write", ["Read and log food", LOGGING + (isBasic ? LOGGING_LATER : "")])}
      ${fieldError(errors, "access")}
    </fieldset>
    <label for="expiry">Ends</label>
    <select id="expiry" name="expiry" ${errorAttributes(errors, "expiry")}>
      ${EXPIRIES.map((choice) => choiceOption(choice, form.expiry))}
    </select>
    ${fieldError(errors, "expiry")}
    <label for="expiry_date">Last day, if you chose one</label>
    <input id="expiry_date" name="expiry_date" type="date" value="${form.expiry_date}"
      ${errorAttributes(errors, "expiry_date")} />
    ${fieldError(errors, "expiry_date")}
    <div class="actions"><button>Create the key</button></div>
  </form>`;
}

function choice(
  { access }: KeyForm,
  value: string,
  [name, meaning]: readonly [string, string],
): Markup {
  const checked = access === value ? markup`checked` : "";
  return markup`<label class="choice">
    <input type="radio" name="access" value="${value}" ${checked} />
    <span>${name}<br /><span class="soft">${meaning}</span></span>
  </label>`;
}
