import { isCivilDate } from "@nutrition/core/civil-date";
import type { CivilDate } from "@nutrition/core/civil-date";
import { characterCount } from "@nutrition/core/text";

import { parseAmount } from "./amount.ts";
import { momentOf } from "./moments.ts";

const NOTES_CHARACTERS_MAX = 500;
const EARLIEST = "1900-01-02";
const NOON = 12;

/** What was typed into the form for a weight. */
export interface WeightForm {
  readonly "weight.id": string;
  readonly "weight.kg": string;
  readonly "weight.date": string;
  readonly "weight.notes": string;
}

export interface WeightWish {
  readonly weightKg: number;
  readonly recordedAt: Date;
  readonly notes: string;
}

/**
 * The weight that the form asks for, or what is wrong with it by field. Today's was measured now,
 * that of an earlier day at its noon.
 */
export function parseWeightForm(
  form: WeightForm,
  { now, today, timeZone }: { now: Date; today: CivilDate; timeZone: string },
): { wish: WeightWish } | { errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const weight = parseAmount(form["weight.kg"], { least: 0.01, most: 1_000 });
  if ("error" in weight) errors["weight.kg"] = weight.error;
  const date = form["weight.date"];
  if (!(isCivilDate(date) && date >= EARLIEST && date <= today)) {
    errors["weight.date"] = "Give a day that exists, since 1900 and not to come.";
  }
  const notes = form["weight.notes"];
  if (characterCount(notes) > NOTES_CHARACTERS_MAX || /\p{Cc}/u.test(notes)) {
    errors["weight.notes"] = `Use at most ${NOTES_CHARACTERS_MAX} characters on one line.`;
  }
  if ("error" in weight || Object.keys(errors).length > 0) return { errors };
  const recordedAt = date === today ? now : momentOf(date, NOON, timeZone);
  return { wish: { weightKg: weight.value, recordedAt, notes } };
}
