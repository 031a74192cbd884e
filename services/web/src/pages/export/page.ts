import { civilDateIn } from "@nutrition/core/civil-date";
import type { Response } from "express";

import { getSettings } from "../../clients/journal-documents.ts";
import type { Person } from "../../clients/person.ts";
import type { RangeForm } from "../../domain/export-range.ts";
import { proposedRange } from "../../domain/export-range.ts";
import { sendPage } from "../../http/page.ts";
import type { FormErrors } from "../form-errors.ts";
import type { PageDependencies } from "../page-dependencies.ts";
import { exportView } from "./view.ts";

/** A form to show again, or a download that starts automatically. */
export interface ExportPageState {
  readonly form?: RangeForm;
  readonly errors?: FormErrors;
  /** Path of the download that required another sign-in. */
  readonly begun?: string | undefined;
}

/** Responds with the page of downloads. */
export async function sendExportPage(
  { backends, clock }: PageDependencies,
  { response, person }: { response: Response; person: Person },
  { form, errors = {}, begun }: ExportPageState,
): Promise<void> {
  const { timezone } = await getSettings(backends, person);
  const proposed = proposedRange(civilDateIn(timezone, clock.now()));
  sendPage(response, person, {
    title: "Take your data with you",
    status: Object.keys(errors).length > 0 ? 400 : 200,
    body: exportView({ form: form ?? proposed, errors, isBegun: begun !== undefined }),
    ...(begun !== undefined && { continueTo: begun }),
  });
}
