import {
  SMALLER_UNITS,
  STORED_PER_UNIT,
  UNIT_CHOICES,
  inTwoParts,
  inUnit,
  isUnitOf,
} from "@nutrition/core/units";
import type { Quantity, Unit, Units } from "@nutrition/core/units";

import { parseAmount } from "./amount.ts";

const TWO_PARTS =
  /^(\d{1,3})\s*(?:(?:st|ft|')\s*)?(?:(\d{1,2}(?:[.,]\d{1,2})?)\s*(?:lb|in|"|'')?)?$/;
const HUNDRED = 100;

/** A stored amount as a person would type it in the unit: `165.3`, `11 st 3.1 lb`. */
export function typedAmount(stored: number, unit: Unit): string {
  if (unit === "st" || unit === "ft") {
    const { whole, rest, name } = inTwoParts(stored, unit);
    return `${whole} ${unit} ${rest} ${name}`;
  }
  return String(Math.round(inUnit(stored, unit) * HUNDRED) / HUNDRED);
}

/**
 * Parses an amount typed in the unit and converts it to the stored unit, rounded to hundredths, or returns an
 * error message. `least` and `most` are in the stored unit.
 */
export function parseInUnit(
  text: string,
  unit: Unit,
  range: { least: number; most: number },
): { value: number } | { error: string } {
  const factor = STORED_PER_UNIT[unit];
  if (factor === 1) return parseAmount(text, range);
  if (unit === "st" || unit === "ft") return parseTwoParts(text, unit, range);
  const bound = (stored: number) => Math.round((stored / factor) * HUNDRED) / HUNDRED;
  const parsed = parseAmount(text, { least: bound(range.least), most: bound(range.most) });
  if ("error" in parsed) return parsed;
  return { value: within(parsed.value * factor, range) };
}

function parseTwoParts(
  text: string,
  unit: keyof typeof SMALLER_UNITS,
  range: { least: number; most: number },
): { value: number } | { error: string } {
  const { name, count } = SMALLER_UNITS[unit];
  const [, whole, rest = "0"] = TWO_PARTS.exec(text) ?? [];
  const smaller = Number(rest.replace(",", "."));
  const stored = (Number(whole) + smaller / count) * STORED_PER_UNIT[unit];
  if (whole === undefined || smaller >= count || stored < range.least || stored > range.most) {
    const example = unit === "st" ? "11 st 3 lb" : "5 ft 11 in";
    return { error: `Write ${unit} and ${name}, such as ${example}.` };
  }
  return { value: within(stored, range) };
}

/** Rounds to hundredths, the stored precision. */
function within(stored: number, { least, most }: { least: number; most: number }): number {
  return Math.min(most, Math.max(least, Math.round(stored * HUNDRED) / HUNDRED));
}

/** Text of a hidden field with the units of a form's labels. */
export function unitsText({ energy, weight, height, water }: Units): string {
  return [energy, weight, height, water].join(" ");
}

/** Reads `unitsText`; undefined for any other text. */
export function parseUnitsText(text: string): Units | undefined {
  const [energy, weight, height, water] = text.split(" ");
  const units = { energy, weight, height, water };
  const isKnown = (Object.keys(UNIT_CHOICES) as Quantity[]).every((quantity) =>
    isUnitOf(quantity, units[quantity]),
  );
  return isKnown ? (units as Units) : undefined;
}
