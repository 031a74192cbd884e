import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

/** Errors of a form by field name. */
export type FormErrors = Readonly<Record<string, string>>;

const NOTHING = markup``;

/** Lists all errors, each with a link to its field, whose id is its name. */
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
    <p>Please correct the following:</p>
    <ul>
      ${entries.map(link)}
    </ul>
  </div>`;
}

/** The error message of one field. */
export function fieldError(errors: FormErrors, name: string): Markup {
  const message = errors[name];
  if (message === undefined) return NOTHING;
  return markup`<p class="error" id="${name}-error">${message}</p>`;
}

/** Attributes that associate a field with its error message. */
export function errorAttributes(errors: FormErrors, name: string): Markup {
  if (errors[name] === undefined) return NOTHING;
  return markup`aria-invalid="true" aria-describedby="${name}-error"`;
}
