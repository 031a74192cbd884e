import { isCivilDate } from "@nutrition/core/civil-date";
import { z } from "zod";

export const id = z.uuid();
export const dateTime = z.iso.datetime({ offset: true });
export const date = z.iso.date();
export const nullableNumber = z.number().nullable();
export const nullableText = z.string().nullable();
export const nullableDateTime = dateTime.nullable();

const A_DAY = "a day that exists, written YYYY-MM-DD, such as 2026-11-21";

/** A day in a request. The error completes "… must be". */
export const dateInput = z
  .string({ error: A_DAY })
  .refine(isCivilDate, { error: A_DAY })
  .meta({ format: "date", pattern: "^\\d{4}-\\d{2}-\\d{2}$" });

/** A count in a request, from `1` to `max`. */
export function limitInput(max: number) {
  const error = `an integer from 1 to ${max}`;
  return z.int({ error }).min(1, { error }).max(max, { error });
}
