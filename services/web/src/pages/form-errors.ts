import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

/** What is wrong with a form, by the name of the field. */
export type FormErrors = Readonly<Record<string, string>>;

const NOTHING = markup``;

/** All that is wrong, with a link to each field, whose id is its name, and its label if given. */
export function errorSummary(
  errors: FormErrors,
  labels: Readonly<Record<string, string>> = {},
): Markup {
  const entries = Object.entries(errors);
  if (entries.length === 0) return NOTHING;
  const link = ([name, message]: [string, string]) => {
    const label = labels[name] === undefined ? "" : `${labels[name]}: `;
    return markup`<li><a href="#${name}">${label}${message}</a></li>`;
  };
  return markup`<div class="notice problem" role="alert">
    <p>Please look at this again:</p>
    <ul>
      ${entries.map(link)}
    </ul>
  </div>`;
}

/** The message that belongs to one field. */
export function fieldError(errors: FormErrors, name: string): Markup {
  const message = errors[name];
  if (message === undefined) return NOTHING;
  return markup`<p class="error" id="${name}-error">${message}</p>`;
}

/** Attributes that tie a field to its message. */
export function errorAttributes(errors: FormErrors, name: string): Markup {
  if (errors[name] === undefined) return NOTHING;
  return markup`aria-invalid="true" aria-describedby="${name}-error"`;
}
