import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { civilDateIn } from "@nutrition/core/civil-date";
import { Failure } from "@nutrition/core/failure";
import { isUuid } from "@nutrition/core/ids";
import type { Request } from "express";

import { getSettings, listWeights } from "../../clients/journal-documents.ts";
import { callOptionsFor } from "../../clients/call-options.ts";
import type { WeightForm } from "../../domain/weight-form.ts";
import { parseWeightForm } from "../../domain/weight-form.ts";
import type { AccountHandler } from "../../http/account-page.ts";
import { formField } from "../../http/form.ts";
import { Display } from "../../domain/display.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { PageDependencies } from "../page-dependencies.ts";
import { sendProfilePage } from "./profile-page.ts";
import { WEIGHTS_MAX, deleteWeightView } from "./weights-view.ts";

const SOURCE = "manual";

/** Adds a weight; sending the same form again replaces it. */
export function addWeight(dependencies: PageDependencies): AccountHandler {
  const { backends, clock } = dependencies;
  return async (request, response, person) => {
    const { timezone: timeZone } = await getSettings(backends, person);
    const now = clock.now();
    const form = readWeightForm(request);
    const weightId = form["weight.id"];
    if (!isUuid(weightId)) throw notReadable();
    const parsed = parseWeightForm(form, { now, today: civilDateIn(timeZone, now), timeZone });
    if ("errors" in parsed) {
      const refused = { typed: new Map(Object.entries(form)), errors: parsed.errors };
      return sendProfilePage(dependencies, { request, response, person }, refused);
    }
    const { weightKg, recordedAt: moment, notes } = parsed.wish;
    const recordedAt = timestampFromDate(moment);
    const weight = { weightId, weightKg, recordedAt, source: SOURCE, notes };
    await backends.journal.putWeight(weight, callOptionsFor(person));
    response.redirect(303, "/settings/profile?done=weight-added#weights");
  };
}

/** Shows the weight and asks for confirmation. */
export function confirmDeleteWeight({ backends }: PageDependencies): AccountHandler {
  return async (request, response, person) => {
    const [weights, { units }] = await Promise.all([
      listWeights(backends, person, WEIGHTS_MAX),
      getSettings(backends, person),
    ]);
    const weight = weights.find(({ id }) => id === request.params["id"]);
    if (!weight) throw noSuchWeight();
    const visit = visitOf(response);
    const body = deleteWeightView(weight, new Display(visit.locale, units), visit);
    sendPage(response, person, { title: "Delete a weight", body });
  };
}

/** Deletes the weight; a missing one counts as deleted. */
export function removeWeight({ backends }: PageDependencies): AccountHandler {
  return async (request, response, person) => {
    const weightId = String(request.params["id"]);
    if (!isUuid(weightId)) throw noSuchWeight();
    await backends.journal.deleteWeight({ weightId }, callOptionsFor(person));
    response.redirect(303, "/settings/profile?done=weight-deleted#weights");
  };
}

function readWeightForm(request: Request): WeightForm {
  return {
    "weight.id": formField(request, "weight.id"),
    "weight.kg": formField(request, "weight.kg"),
    "weight.unit": formField(request, "weight.unit"),
    "weight.date": formField(request, "weight.date"),
    "weight.notes": formField(request, "weight.notes"),
  };
}

function noSuchWeight(): Failure {
  return new Failure("not_found", "WEIGHT_NOT_FOUND", "You have no such weight.");
}

function notReadable(): Failure {
  return new Failure("invalid_argument", "INVALID_FORM", "Open the profile page and try again.");
}
