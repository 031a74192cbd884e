import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { Display } from "../../domain/display.ts";
import type { ImportedWeight, WeightTable } from "../../domain/weight-import.ts";
import { IMPORT_ROWS_MAX } from "../../domain/weight-import.ts";
import { csrfField } from "../../http/layout.ts";
import type { Visit } from "../../http/visit.ts";
import type { Choice } from "../choice-option.ts";
import { choiceOption } from "../choice-option.ts";
import type { FormErrors } from "../form-errors.ts";
import { errorAttributes, errorSummary, fieldError } from "../form-errors.ts";

export const WEIGHT_IMPORT_ROUTE = "/settings/profile/weights/import";
const ROWS_SHOWN = 10;
const UNITS: readonly Choice[] = [
  ["kg", "Kilograms"],
  ["lb", "Pounds"],
];

export interface ImportForm {
  readonly table: string;
  readonly unit: string;
}

/** Asks for the table. */
export function importFormView(
  { form, errors }: { form: ImportForm; errors: FormErrors },
  visit: Visit,
): Markup {
  return markup`<section class="card">
    <h1>Import weights</h1>
    ${errorSummary(errors, { table: "The table" })}
    <p>Paste the rows of a spreadsheet or of another app's export: a day such as
      <code>2026-06-15</code> and a weight in each row, at most ${IMPORT_ROWS_MAX} at once. You see what
      was understood before anything is stored.</p>
    <form method="post" action="${WEIGHT_IMPORT_ROUTE}">
      ${csrfField(visit)}
      <label for="table">The table</label>
      <textarea id="table" name="table" rows="10" required maxlength="40000" spellcheck="false" autofocus
        ${errorAttributes(errors, "table")}>${form.table}</textarea>
      ${fieldError(errors, "table")}
      <label for="unit">The weights are in</label>
      <select id="unit" name="unit">${UNITS.map((unit) => choiceOption(unit, form.unit))}</select>
      <div class="actions">
        <button>Preview</button>
        <a class="button quiet" href="/settings/profile#weights">Cancel</a>
      </div>
    </form>
  </section>`;
}

export interface ImportPreview {
  readonly form: ImportForm;
  /** Weights that are not stored yet. */
  readonly fresh: readonly ImportedWeight[];
  readonly knownCount: number;
  readonly problems: WeightTable["problems"];
}

/** Shows the weights to be stored and the rows that cannot be read. */
export function importPreviewView(preview: ImportPreview, display: Display, visit: Visit): Markup {
  const { form, fresh, knownCount, problems } = preview;
  const count = fresh.length;
  const weights = count === 1 ? "1 new weight" : `${count} new weights`;
  return markup`<section class="card">
    <h1>Import ${weights}?</h1>
    ${knownCount === 0 ? "" : markup`<p>${knownCount} of the rows are stored already and stay as they are.</p>`}
    ${problemList(problems)}
    ${count === 0 ? "" : rowTable(fresh, display)}
    <form method="post" action="${WEIGHT_IMPORT_ROUTE}">
      ${csrfField(visit)}
      <textarea name="table" hidden>${form.table}</textarea>
      <input type="hidden" name="unit" value="${form.unit}" />
      <input type="hidden" name="confirmed" value="yes" />
      <div class="actions">
        ${count === 0 ? "" : markup`<button>Import ${weights}</button>`}
        <a class="button quiet" href="${WEIGHT_IMPORT_ROUTE}">Change the table</a>
      </div>
    </form>
  </section>`;
}

function problemList(problems: WeightTable["problems"]): Markup {
  if (problems.length === 0) return markup``;
  return markup`<div class="warning">
    <p>These rows are left out:</p>
    <ul>${problems.map(({ line, message }) => markup`<li>Line ${line}: ${message}</li>`)}</ul>
  </div>`;
}

function rowTable(weights: readonly ImportedWeight[], display: Display): Markup {
  const rest = weights.length - ROWS_SHOWN;
  return markup`<table>
      <thead><tr><th scope="col">Day</th><th scope="col" class="number">Weight</th></tr></thead>
      <tbody>${weights.slice(0, ROWS_SHOWN).map(
        ({ date, weightKg }) => markup`<tr><td>${display.longDate(date)}</td>
          <td class="number">${display.weight(weightKg)}</td></tr>`,
      )}</tbody>
    </table>
    ${rest > 0 ? markup`<p class="soft">and ${rest} more</p>` : ""}`;
}
