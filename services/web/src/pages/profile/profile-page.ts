import { civilDateIn } from "@nutrition/core/civil-date";
import { newId } from "@nutrition/core/ids";
import { markup } from "@nutrition/core/markup";
import type { Request, Response } from "express";

import { getProfile } from "../../clients/account-profile.ts";
import { getSettings, listWeights } from "../../clients/journal-documents.ts";
import type { WeightForm } from "../../domain/weight-form.ts";
import { queryField } from "../../http/form.ts";
import { Display } from "../../domain/display.ts";
import { parseUnitsText } from "../../domain/units.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { Person } from "../../clients/person.ts";
import type { FormErrors } from "../form-errors.ts";
import { errorSummary } from "../form-errors.ts";
import { doneNotice } from "../notice.ts";
import type { PageDependencies } from "../page-dependencies.ts";
import { accountSection } from "./account-view.ts";
import type { FieldValues } from "./field-views.ts";
import { PROFILE_LABELS } from "./labels.ts";
import { UNITS_FIELD, settingsForm } from "./settings-views.ts";
import { settingsValues } from "./settings-values.ts";
import { WEIGHTS_MAX, weightsSection } from "./weights-view.ts";

const NOTICES = {
  saved: "Saved.",
  unchanged: "Nothing was changed.",
  kept: "Your account stays. Nothing is going to be erased.",
  "weights-imported": "The weights were imported.",
  "weight-added": "The weight was added.",
  "weight-deleted": "The weight was deleted.",
};

/** A refused form: typed values and errors, by field. */
export interface RefusedProfile {
  readonly typed: ReadonlyMap<string, string>;
  readonly errors: FormErrors;
}

/** Responds with the profile page. */
export async function sendProfilePage(
  { backends, clock }: PageDependencies,
  { request, response, person }: { request: Request; response: Response; person: Person },
  refused: RefusedProfile = { typed: new Map(), errors: {} },
): Promise<void> {
  const [settings, weights, profile] = await Promise.all([
    getSettings(backends, person),
    listWeights(backends, person, WEIGHTS_MAX),
    getProfile(backends, person),
  ]);
  const { locale } = visitOf(response);
  const here = { timeZone: settings.timezone, now: clock.now(), locale };
  const today = civilDateIn(here.timeZone, here.now);
  const { typed, errors } = refused;
  const units = parseUnitsText(typed.get(UNITS_FIELD) ?? "") ?? settings.units;
  const values: FieldValues = { stored: settingsValues(settings), typed, errors, units };
  const display = new Display(locale, settings.units);
  const proposedTimezone = queryField(request, "timezone");
  const visit = visitOf(response);
  const form = weightForm(typed, today, settings.units.weight);
  const body = markup`<h1>Profile</h1>
    ${doneNotice(request, NOTICES)}
    ${errorSummary(errors, PROFILE_LABELS)}
    ${settingsForm(values, { today, proposedTimezone }, visit)}
    ${weightsSection({ weights, form, errors, today }, display, visit)}
    ${accountSection(profile, here)}`;
  const status = Object.keys(errors).length === 0 ? 200 : 400;
  sendPage(response, person, { title: "Profile", body, status });
}

/** The typed values, or an empty form with a new id, so that sending it twice adds one weight. */
function weightForm(typed: ReadonlyMap<string, string>, today: string, unit: string): WeightForm {
  return {
    "weight.id": typed.get("weight.id") ?? newId(),
    "weight.kg": typed.get("weight.kg") ?? "",
    "weight.unit": typed.get("weight.unit") ?? unit,
    "weight.date": typed.get("weight.date") ?? today,
    "weight.notes": typed.get("weight.notes") ?? "",
  };
}
