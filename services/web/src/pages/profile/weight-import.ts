import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { civilDateIn } from "@nutrition/core/civil-date";
import type { Request, Response } from "express";

import type { Backends } from "../../clients/backends.ts";
import { callOptionsFor } from "../../clients/call-options.ts";
import { getSettings } from "../../clients/journal-documents.ts";
import type { Person } from "../../clients/person.ts";
import { Display } from "../../domain/display.ts";
import type { ImportedWeight, WeightTable } from "../../domain/weight-import.ts";
import { importedWeightId, parseWeightTable } from "../../domain/weight-import.ts";
import type { AccountHandler } from "../../http/account-page.ts";
import { formField, formText } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { PageDependencies } from "../page-dependencies.ts";
import { importFormView, importPreviewView } from "./weight-import-view.ts";

const SOURCE = "import";
/** Concurrent calls; the journal allows an account a few. */
const AT_ONCE = 4;
const UNITS = ["kg", "lb"] as const;
const EMPTY = { table: "Paste a table with at least one row." };

/** Shows the form for a table of weights. */
export function showWeightImport({ backends }: PageDependencies): AccountHandler {
  return async (_request, response, person) => {
    const { units } = await getSettings(backends, person);
    const form = { table: "", unit: units.weight === "kg" ? "kg" : "lb" };
    const body = importFormView({ form, errors: {} }, visitOf(response));
    sendPage(response, person, { title: "Import weights", body });
  };
}

/**
 * Shows a preview of the import and, once the person confirms it, imports the weights. Ids are derived from
 * the rows, so an import that stops halfway or is sent again creates no duplicates.
 */
export function importWeights(dependencies: PageDependencies): AccountHandler {
  const { backends } = dependencies;
  return async (request, response, person) => {
    const visit = visitOf(response);
    const form = readForm(request);
    if (form.table === "") {
      const body = importFormView({ form, errors: EMPTY }, visit);
      return sendPage(response, person, { title: "Import weights", body, status: 400 });
    }
    const { table, display } = await readTable(dependencies, { response, person }, form);
    const fresh = await unstored(backends, person, table.weights);
    // A second submit finds nothing left to store, which is a success, too.
    if (formField(request, "confirmed") !== "yes" || table.weights.length === 0) {
      const knownCount = table.weights.length - fresh.length;
      const preview = { form, fresh, knownCount, problems: table.problems };
      const body = importPreviewView(preview, display, visit);
      return sendPage(response, person, { title: "Import weights", body });
    }
    await store(dependencies, person, fresh);
    response.redirect(303, "/settings/profile?done=weights-imported#weights");
  };
}

/** The weights that are not stored for their day yet. */
async function unstored(
  { journal }: Backends,
  person: Person,
  weights: readonly ImportedWeight[],
): Promise<ImportedWeight[]> {
  const wanted = weights.map(({ date, weightKg }) => ({ date, weightKg }));
  const { stored } = await journal.findWeights({ weights: wanted }, callOptionsFor(person));
  return weights.filter((_, index) => stored[index] !== true);
}

function readForm(request: Request) {
  const unit = UNITS.find((one) => one === formField(request, "unit")) ?? "kg";
  return { table: formText(request, "table").trim(), unit };
}

async function readTable(
  { backends, clock }: PageDependencies,
  { response, person }: { response: Response; person: Person },
  form: ReturnType<typeof readForm>,
): Promise<{ table: WeightTable; display: Display }> {
  const { timezone: timeZone, units } = await getSettings(backends, person);
  const now = clock.now();
  const options = { unit: form.unit, now, today: civilDateIn(timeZone, now), timeZone };
  const display = new Display(visitOf(response).locale, units);
  return { table: parseWeightTable(form.table, options), display };
}

async function store(
  { backends: { journal } }: PageDependencies,
  person: Person,
  weights: readonly ImportedWeight[],
): Promise<void> {
  for (let start = 0; start < weights.length; start += AT_ONCE) {
    const storing = weights.slice(start, start + AT_ONCE).map((weight) => {
      const weightId = importedWeightId(person.user.accountId, weight);
      const { weightKg, recordedAt: moment, notes } = weight;
      const recordedAt = timestampFromDate(moment);
      const request = { weightId, weightKg, recordedAt, source: SOURCE, notes };
      return journal.putWeight(request, callOptionsFor(person));
    });
    await Promise.all(storing);
  }
}
