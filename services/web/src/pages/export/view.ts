import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { RangeForm } from "../../domain/export-range.ts";
import type { Choice } from "../choice-option.ts";
import { choiceOption } from "../choice-option.ts";
import type { FormErrors } from "../form-errors.ts";
import { errorAttributes, errorSummary, fieldError } from "../form-errors.ts";

/** Path of the page with the downloads. */
export const EXPORT_ROUTE = "/settings/export";
/** Path of the download of a range. */
export const RANGE_ROUTE = `${EXPORT_ROUTE}/range`;

/** Formats of the export of everything. */
export const FORMATS = ["json", "csv"] as const;
export type ExportFormat = (typeof FORMATS)[number];

/** Path of the download of everything; it requires a sign-in within the last 10 minutes. */
export function exportPath(format: ExportFormat): string {
  return `/journal/export.${format}`;
}

const CONTENTS: readonly Choice[] = [
  ["days", "Totals by day"],
  ["items", "Every item"],
];
const RANGE_FORMAT_CHOICES: readonly Choice[] = [
  ["csv", "Table (CSV)"],
  ["json", "JSON"],
];
const BEGUN = markup`<p class="notice" role="status">Your download is starting. If it does not, choose it
  below.</p>`;

/** The page with the downloads. */
export function exportView({
  form,
  errors,
  isBegun,
}: {
  form: RangeForm;
  errors: FormErrors;
  isBegun: boolean;
}): Markup {
  return markup`<h1>Take your data with you</h1>
    ${isBegun ? BEGUN : ""}
    ${errorSummary(errors, { from: "First day", to: "Last day" })}
    <p class="soft">For your safety, a download asks you to sign in again if you have been signed in for
      more than 10 minutes.</p>
    <section class="card" aria-labelledby="range">
      <h2 id="range">A range of days</h2>
      ${rangeForm(form, errors)}
    </section>
    <section class="card" aria-labelledby="everything">
      <h2 id="everything">Everything</h2>
      <p>Profile, settings, food, weights, and every change with what was there before.</p>
      <p class="actions">
        <a class="button" href="${exportPath("json")}">Everything (JSON)</a>
        <a class="button quiet" href="${exportPath("csv")}">Food as a table (CSV)</a>
      </p>
    </section>
    <p><a href="/settings/profile#account">Back to the profile</a></p>`;
}

function rangeForm(form: RangeForm, errors: FormErrors): Markup {
  return markup`<form method="get" action="${RANGE_ROUTE}">
    <div class="fields">
      ${dayField("from", "First day", form.from, errors)}
      ${dayField("to", "Last day", form.to, errors)}
      ${choiceField("content", { label: "Content", choices: CONTENTS, chosen: form.content }, errors)}
      ${choiceField("format", { label: "Format", choices: RANGE_FORMAT_CHOICES, chosen: form.format }, errors)}
    </div>
    <div class="actions"><button>Download</button></div>
  </form>`;
}

function dayField(name: string, label: string, value: string, errors: FormErrors): Markup {
  return markup`<div>
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" type="date" value="${value}" required
      ${errorAttributes(errors, name)} />
    ${fieldError(errors, name)}
  </div>`;
}

function choiceField(
  name: string,
  { label, choices, chosen }: { label: string; choices: readonly Choice[]; chosen: string },
  errors: FormErrors,
): Markup {
  return markup`<div>
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}" ${errorAttributes(errors, name)}>
      ${choices.map((one) => choiceOption(one, chosen))}
    </select>
    ${fieldError(errors, name)}
  </div>`;
}
