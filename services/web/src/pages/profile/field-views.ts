import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { Units } from "@nutrition/core/units";

import { SHOWN_BEFORE } from "../../domain/profile-change.ts";
import type { Choice } from "../choice-option.ts";
import { choiceOption } from "../choice-option.ts";
import type { FormErrors } from "../form-errors.ts";
import { errorAttributes, fieldError } from "../form-errors.ts";
import type { ProfileFieldName } from "./labels.ts";
import { PROFILE_LABELS } from "./labels.ts";

/** Values for the fields of a form. */
export interface FieldValues {
  /** Stored values, by field. */
  readonly stored: ReadonlyMap<string, string>;
  /** Typed values of a refused form by field; empty otherwise. */
  readonly typed: ReadonlyMap<string, string>;
  readonly errors: FormErrors;
  /** Units of the fields' labels and values. */
  readonly units: Units;
}

/** A number with its unit. */
export function amountField(values: FieldValues, name: ProfileFieldName, unit: string): Markup {
  return markup`<div>
    <label for="${name}">${PROFILE_LABELS[name]} <span class="unit">${unit}</span></label>
    <input id="${name}" name="${name}" value="${valueOf(values, name)}" inputmode="decimal"
      autocomplete="off" maxlength="16" ${errorAttributes(values.errors, name)} />
    ${shownBefore(values, name)}
    ${fieldError(values.errors, name)}
  </div>`;
}

/** A day up to `max`. */
export function dayField(values: FieldValues, name: ProfileFieldName, max: string): Markup {
  return markup`<div>
    <label for="${name}">${PROFILE_LABELS[name]}</label>
    <input id="${name}" name="${name}" type="date" value="${valueOf(values, name)}" max="${max}"
      ${errorAttributes(values.errors, name)} />
    ${shownBefore(values, name)}
    ${fieldError(values.errors, name)}
  </div>`;
}

/** A choice from a list. */
export function choiceField(
  values: FieldValues,
  name: ProfileFieldName,
  choices: readonly Choice[],
): Markup {
  const chosen = valueOf(values, name);
  return markup`<div>
    <label for="${name}">${PROFILE_LABELS[name]}</label>
    <select id="${name}" name="${name}" ${errorAttributes(values.errors, name)}>
      ${choices.map((choice) => choiceOption(choice, chosen))}
    </select>
    ${shownBefore(values, name)}
    ${fieldError(values.errors, name)}
  </div>`;
}

/** The typed value, or else the stored one. */
export function valueOf({ stored, typed }: FieldValues, name: string): string {
  return typed.get(name) ?? stored.get(name) ?? "";
}

/** Hidden field with the value shown at first, so that the handler knows whether the person changed it. */
export function shownBefore({ stored, typed }: FieldValues, name: string): Markup {
  const before = typed.get(SHOWN_BEFORE + name) ?? stored.get(name) ?? "";
  return markup`<input type="hidden" name="${SHOWN_BEFORE}${name}" value="${before}" />`;
}
