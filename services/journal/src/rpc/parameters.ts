import { isCivilDate } from "@nutrition/core/civil-date";
import { Failure } from "@nutrition/core/failure";

/**
 * Parses an optional day; null for an empty text. Throws `invalid_argument` for a day that does not
 * exist.
 */
export function optionalDate(field: string, text: string): string | null {
  return text === "" ? null : requiredDate(field, text);
}

/** Parses a required day. Throws `invalid_argument` for a day that does not exist. */
export function requiredDate(field: string, text: string): string {
  if (isCivilDate(text)) return text;
  throw invalid(field, `${field} must be an existing day, YYYY-MM-DD.`);
}

/** Throws `invalid_argument` unless the number is an integer from 1 to `max`. */
export function limitUpTo(max: number, limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return limit;
  throw invalid("limit", `limit must be 1 to ${max}.`);
}

/** The failure `invalid_argument` about one parameter. */
export function invalid(field: string, message: string): Failure {
  return new Failure("invalid_argument", "INVALID_PARAMETER", message, { metadata: { field } });
}
