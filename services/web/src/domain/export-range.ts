import { addDays, isCivilDate } from "@nutrition/core/civil-date";
import type { CivilDate } from "@nutrition/core/civil-date";

/** Ten years. Each day adds at most a row of totals or a document of a few kilobytes. */
export const RANGE_DAYS_MAX = 3_660;
const PROPOSED_DAYS = 30;

export const RANGE_CONTENTS = ["days", "items"] as const;
export const RANGE_FORMATS = ["csv", "json"] as const;

/** Fields of the form for the export of a range, as typed. */
export interface RangeForm {
  readonly from: string;
  readonly to: string;
  readonly content: string;
  readonly format: string;
}

/** A range of days to export, first and last included. */
export interface ExportRange {
  readonly from: CivilDate;
  readonly to: CivilDate;
  readonly content: (typeof RANGE_CONTENTS)[number];
  readonly format: (typeof RANGE_FORMATS)[number];
}

/** Default of the form: the last days with their totals. */
export function proposedRange(today: CivilDate): ExportRange {
  return { from: addDays(today, 1 - PROPOSED_DAYS), to: today, content: "days", format: "csv" };
}

/** Returns the range, or what is wrong by field. */
export function parseRange(
  form: RangeForm,
): { range: ExportRange } | { errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const { from, to } = form;
  if (!isCivilDate(from)) errors["from"] = "Enter an existing day.";
  if (!isCivilDate(to)) errors["to"] = "Enter an existing day.";
  if (Object.keys(errors).length === 0) {
    if (from > to) errors["to"] = "The last day must not be before the first.";
    else if (addDays(from, RANGE_DAYS_MAX) <= to)
      errors["to"] = "Choose at most ten years. The export of everything has no limit.";
  }
  const content = RANGE_CONTENTS.find((one) => one === form.content);
  const format = RANGE_FORMATS.find((one) => one === form.format);
  if (!content) errors["content"] = "Choose days or items.";
  if (!format) errors["format"] = "Choose a format.";
  if (!content || !format || Object.keys(errors).length > 0) return { errors };
  return { range: { from, to, content, format } };
}

/** Consecutive ranges of at most `days` days that cover the range, oldest first. */
export function* windowsOf(
  { from, to }: Pick<ExportRange, "from" | "to">,
  days: number,
): Generator<{ startDate: CivilDate; endDate: CivilDate }> {
  for (let startDate = from; startDate <= to; startDate = addDays(startDate, days)) {
    const last = addDays(startDate, days - 1);
    yield { startDate, endDate: last < to ? last : to };
  }
}
