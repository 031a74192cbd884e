import { isCivilDate } from "@nutrition/core/civil-date";
import type { CivilDate } from "@nutrition/core/civil-date";
import { characterCount } from "@nutrition/core/text";

import { momentOf } from "./moments.ts";
import { parseInUnit } from "./units.ts";

const NOTES_CHARACTERS_MAX = 200;
const EARLIEST = "1900-01-02";
const NOON = 12;
const UNITS = ["kg", "lb", "st"] as const;

/** Fields of the form for a weight, as typed. */
export interface WeightForm {
  readonly "weight.id": string;
  readonly "weight.kg": string;
  /** Unit in the form's label; kilograms if it is unknown. */
  readonly "weight.unit": string;
  readonly "weight.date": string;
  readonly "weight.notes": string;
}

export interface WeightInput {
  readonly weightKg: number;
  readonly recordedAt: Date;
  readonly notes: string;
}

/**
 * Validates the form; returns the weight, or the errors by field. Today's weight is dated now, an
 * earlier day's at noon.
 */
export function parseWeightForm(
  form: WeightForm,
  { now, today, timeZone }: { now: Date; today: CivilDate; timeZone: string },
): { wish: WeightInput } | { errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const unit = UNITS.find((one) => one === form["weight.unit"]) ?? "kg";
  const weight = parseInUnit(form["weight.kg"], unit, { least: 0.01, most: 1_000 });
  if ("error" in weight) errors["weight.kg"] = weight.error;
  const date = form["weight.date"];
  if (!(isCivilDate(date) && date >= EARLIEST && date <= today)) {
    errors["weight.date"] = "Enter an existing day from 1900 on, not in the future.";
  }
  const notes = form["weight.notes"];
  if (characterCount(notes) > NOTES_CHARACTERS_MAX || /\p{Cc}/u.test(notes)) {
    errors["weight.notes"] = `Use at most ${NOTES_CHARACTERS_MAX} characters on one line.`;
  }
  if ("error" in weight || Object.keys(errors).length > 0) return { errors };
  const recordedAt = date === today ? now : momentOf(date, NOON, timeZone);
  return { wish: { weightKg: weight.value, recordedAt, notes } };
}
