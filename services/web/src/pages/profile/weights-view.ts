import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { Weight } from "../../clients/journal-documents.ts";
import type { Display } from "../../domain/display.ts";
import type { WeightForm } from "../../domain/weight-form.ts";
import { csrfField } from "../../http/layout.ts";
import type { Visit } from "../../http/visit.ts";
import { foreign } from "../foreign.ts";
import type { FormErrors } from "../form-errors.ts";
import { errorAttributes, fieldError } from "../form-errors.ts";
import { PROFILE_LABELS } from "./labels.ts";
import { WEIGHT_IMPORT_ROUTE } from "./weight-import-view.ts";

/** Maximum number of listed weights. */
export const WEIGHTS_MAX = 365;

const NEWEST_SHOWN = 8;
const NOTES_SHOWN_CHARACTERS = 200;

/** Content of the section about weights. */
export interface WeightsPart {
  /** Newest first. */
  readonly weights: readonly Weight[];
  readonly form: WeightForm;
  readonly errors: FormErrors;
  readonly today: string;
}

/** Lists a person's weights, with a form for a new one. */
export function weightsSection(part: WeightsPart, display: Display, visit: Visit): Markup {
  return markup`<section class="card" aria-labelledby="weights">
    <h2 id="weights">Weights</h2>
    <p class="soft">What you weighed, day by day: the journal draws it as a chart, and assistants can
      read it. It does not change the weight under <a href="#body">About you</a>.</p>
    ${addForm(part, visit)}
    ${weightTables(part.weights, display)}
  </section>`;
}

/** Confirms before a weight is deleted. */
export function deleteWeightView(weight: Weight, display: Display, visit: Visit): Markup {
  return markup`<section class="card narrow">
    <h1>Delete this weight?</h1>
    <p>${display.weight(weight.weight_kg)} on ${display.longDate(weight.recorded_date)}. This cannot be
      undone.</p>
    <form method="post" action="/settings/profile/weights/${weight.id}/delete">
      ${csrfField(visit)}
      <div class="actions">
        <button class="danger">Delete</button>
        <a class="button quiet" href="/settings/profile#weights">Keep it</a>
      </div>
    </form>
  </section>`;
}

function addForm({ form, errors, today }: WeightsPart, visit: Visit): Markup {
  return markup`<form method="post" action="/settings/profile/weights">
    ${csrfField(visit)}
    <input type="hidden" name="weight.id" value="${form["weight.id"]}" />
    <input type="hidden" name="weight.unit" value="${form["weight.unit"]}" />
    <div class="fields">
      <div>
        <label for="weight.kg">${PROFILE_LABELS["weight.kg"]} <span class="unit">${form["weight.unit"]}</span></label>
        <input id="weight.kg" name="weight.kg" value="${form["weight.kg"]}" required maxlength="16"
          inputmode="decimal" autocomplete="off" ${errorAttributes(errors, "weight.kg")} />
        ${fieldError(errors, "weight.kg")}
      </div>
      <div>
        <label for="weight.date">${PROFILE_LABELS["weight.date"]}</label>
        <input id="weight.date" name="weight.date" type="date" value="${form["weight.date"]}"
          required max="${today}" ${errorAttributes(errors, "weight.date")} />
        ${fieldError(errors, "weight.date")}
      </div>
      <div>
        <label for="weight.notes">${PROFILE_LABELS["weight.notes"]}</label>
        <input id="weight.notes" name="weight.notes" value="${form["weight.notes"]}" maxlength="200"
          autocomplete="off" ${errorAttributes(errors, "weight.notes")} />
        ${fieldError(errors, "weight.notes")}
      </div>
    </div>
    <div class="actions">
      <button>Add the weight</button>
      <a class="button quiet" href="${WEIGHT_IMPORT_ROUTE}">Import weights</a>
    </div>
  </form>`;
}

function weightTables(weights: readonly Weight[], display: Display): Markup {
  if (weights.length === 0) return markup`<p class="soft">No weight has been recorded yet.</p>`;
  const older = weights.slice(NEWEST_SHOWN);
  const note = weights.length < WEIGHTS_MAX ? "" : ` The newest ${WEIGHTS_MAX} are listed.`;
  const rest = markup`<details>
    <summary>${older.length} older</summary>
    ${weightTable(older, display)}
    <p class="soft">Everything is in the export.${note}</p>
  </details>`;
  return markup`${weightTable(weights.slice(0, NEWEST_SHOWN), display)}${older.length === 0 ? "" : rest}`;
}

function weightTable(weights: readonly Weight[], display: Display): Markup {
  return markup`<table class="weights">
    <thead>
      <tr><th scope="col">Day</th><th scope="col" class="number">Weight</th>
        <th scope="col"><span class="unseen">Action</span></th></tr>
    </thead>
    <tbody>${weights.map((weight) => weightRow(weight, display))}</tbody>
  </table>`;
}

function weightRow(
  { id, weight_kg: weightKg, recorded_date: date, notes }: Weight,
  display: Display,
): Markup {
  const remark =
    notes === null
      ? ""
      : markup`<br /><span class="soft">${foreign(notes, NOTES_SHOWN_CHARACTERS)}</span>`;
  return markup`<tr>
    <td><time datetime="${date}">${display.longDate(date)}</time>${remark}</td>
    <td class="number">${display.weight(weightKg)}</td>
    <td class="number"><a href="/settings/profile/weights/${id}/delete"
      >Delete<span class="unseen"> ${display.weight(weightKg)} of ${display.longDate(date)}</span></a></td>
  </tr>`;
}
