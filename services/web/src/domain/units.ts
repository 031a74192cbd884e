import { WATER_UNIT_NAMES } from "@nutrition/core/figures";
import type { WaterUnit } from "@nutrition/core/figures";

import { parseAmount } from "./amount.ts";

/** Units in which a person reads and enters figures. Stored figures are in kcal, kg, cm and ml. */
export interface Units {
  readonly energy: "kcal" | "kJ";
  readonly weight: "kg" | "lb" | "st";
  readonly height: "cm" | "ft";
  readonly water: WaterUnit;
}

/** A quantity with a choice of units. */
export type Quantity = keyof Units;

/** Number of stored units in one display unit; for units written in two parts, in the larger part. */
const STORED_PER_UNIT: Readonly<Record<string, number>> = {
  kcal: 1,
  kJ: 1 / 4.184,
  kg: 1,
  lb: 0.453_592_37,
  st: 6.350_293_18,
  cm: 1,
  ft: 30.48,
  ml: 1,
  l: 1_000,
  fl_oz: 29.573_529_562_5,
};

/** Units written in two parts, with the name and number of the smaller part. */
const SMALLER = {
  st: { name: "lb", count: 14 },
  ft: { name: "in", count: 12 },
} as const;

const TWO_PARTS = /^(\d{1,3})\s*(?:st|ft|')?\s*(?:(\d{1,2}(?:[.,]\d{1,2})?)\s*(?:lb|in|"|'')?)?$/;
const HUNDRED = 100;

/** A stored amount in the unit, unrounded. */
export function inUnit(stored: number, unit: Units[Quantity]): number {
  return stored / STORED_PER_UNIT[unit]!;
}

/** How a unit is written. */
export function unitName(unit: Units[Quantity]): string {
  return unit in WATER_UNIT_NAMES ? WATER_UNIT_NAMES[unit as WaterUnit] : unit;
}

/** An amount in whole and smaller units, such as 11 stones and 3.1 pounds. */
export function inTwoParts(stored: number, unit: keyof typeof SMALLER) {
  const { name, count } = SMALLER[unit];
  const tenths = Math.round(inUnit(stored, unit) * count * 10);
  return { whole: Math.floor(tenths / (count * 10)), rest: (tenths % (count * 10)) / 10, name };
}

/** A stored amount as a person would type it in the unit: `165.3`, `11 st 3.1 lb`. */
export function typedAmount(stored: number, unit: Units[Quantity]): string {
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
  unit: Units[Quantity],
  range: { least: number; most: number },
): { value: number } | { error: string } {
  const factor = STORED_PER_UNIT[unit]!;
  if (factor === 1) return parseAmount(text, range);
  if (unit === "st" || unit === "ft") return parseTwoParts(text, unit, range);
  const bound = (stored: number) => Math.round((stored / factor) * HUNDRED) / HUNDRED;
  const parsed = parseAmount(text, { least: bound(range.least), most: bound(range.most) });
  if ("error" in parsed) return parsed;
  return { value: within(parsed.value * factor, range) };
}

function parseTwoParts(
  text: string,
  unit: keyof typeof SMALLER,
  range: { least: number; most: number },
): { value: number } | { error: string } {
  const { name, count } = SMALLER[unit];
  const [, whole, rest = "0"] = TWO_PARTS.exec(text) ?? [];
  const smaller = Number(rest.replace(",", "."));
  const stored = (Number(whole) + smaller / count) * STORED_PER_UNIT[unit]!;
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

const CHOICES = {
  energy: ["kcal", "kJ"],
  weight: ["kg", "lb", "st"],
  height: ["cm", "ft"],
  water: ["ml", "l", "fl_oz"],
} as const;

/** Reads `unitsText`; undefined for any other text. */
export function parseUnitsText(text: string): Units | undefined {
  const [energy, weight, height, water] = text.split(" ");
  const units = { energy, weight, height, water };
  const isKnown = (Object.keys(CHOICES) as Quantity[]).every((quantity) =>
    (CHOICES[quantity] as readonly (string | undefined)[]).includes(units[quantity]),
  );
  return isKnown ? (units as Units) : undefined;
}
