import { fromJson } from "@bufbuild/protobuf";
import { civilDateIn } from "@nutrition/core/civil-date";
import { Failure } from "@nutrition/core/failure";
import { SettingsSchema } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Request } from "express";

import type { Backends } from "../../clients/backends.ts";
import { getSettings } from "../../clients/journal-documents.ts";
import { callOptionsFor } from "../../clients/call-options.ts";
import type { ProfileChange } from "../../domain/profile-change.ts";
import { SHOWN_BEFORE, parseProfileChange, settingsJson } from "../../domain/profile-change.ts";
import { parseUnitsText } from "../../domain/units.ts";
import { PROFILE_FIELDS } from "../../domain/profile-fields.ts";
import type { AccountHandler } from "../../http/account-page.ts";
import { formField, formFields } from "../../http/form.ts";
import type { Person } from "../../clients/person.ts";
import type { PageDependencies } from "../page-dependencies.ts";
import { sendProfilePage } from "./profile-page.ts";
import { UNITS_FIELD } from "./settings-views.ts";

/** Saves only the fields that a form changed. */
export function saveSettings(dependencies: PageDependencies): AccountHandler {
  const { backends, clock } = dependencies;
  return async (request, response, person) => {
    const settings = await getSettings(backends, person);
    const typed = typedFields(request);
    const units = parseUnitsText(typed.get(UNITS_FIELD) ?? "") ?? settings.units;
    const today = civilDateIn(settings.timezone, clock.now());
    const change = parseProfileChange(typed, { today, units });
    const errors = await trySave(backends, person, change);
    if (Object.keys(errors).length > 0) {
      return sendProfilePage(dependencies, { request, response, person }, { typed, errors });
    }
    const done = change.values.size === 0 ? "unchanged" : "saved";
    response.redirect(303, `/settings/profile?done=${done}`);
  };
}

/** Errors by field; nothing is saved if there are any. */
async function trySave(
  { journal }: Backends,
  person: Person,
  { values, errors }: ProfileChange,
): Promise<ProfileChange["errors"]> {
  if (Object.keys(errors).length > 0 || values.size === 0) return errors;
  const settings = fromJson(SettingsSchema, settingsJson(values));
  const updateMask = { paths: [...values.keys()] };
  try {
    await journal.updateSettings({ settings, updateMask }, callOptionsFor(person));
    return {};
  } catch (error) {
    const field = error instanceof Failure ? error.metadata["field"] : undefined;
    if (field === undefined || !values.has(field)) throw error;
    return { [field]: "This value cannot be saved. Choose another." };
  }
}

/** Content of the form by field: typed values, and the values shown when it was opened. */
function typedFields(request: Request): ReadonlyMap<string, string> {
  const names = Object.keys(PROFILE_FIELDS).flatMap((name) => [name, SHOWN_BEFORE + name]);
  const present = [...names, UNITS_FIELD].filter((name) => formFields(request, name).length === 1);
  return new Map(present.map((name) => [name, formField(request, name)]));
}
