import { EACH } from "../foods/food.ts";
import type { Food } from "../foods/food.ts";
import { singular } from "../text/spelling.ts";
import { SIZE_FACTORS } from "../text/units.ts";

/** The weight of a portion and its certainty. */
export interface PortionWeight {
  readonly grams: number;
  /** 0 to 1. */
  readonly certainty: number;
  /** What was assumed, such as `28 g per slice of white bread`; undefined if nothing was. */
  readonly assumption: string | undefined;
}

/** Portion that a whole ingredient yields: the juice of a lemon. */
const YIELD = "yield";
const SIZE_NAMES: ReadonlySet<string> = new Set(Object.keys(SIZE_FACTORS));

/** A weight without assumptions. */
export function certain(grams: number, certainty: number): PortionWeight {
  return { grams, certainty, assumption: undefined };
}

/** The assumed weight of one unit, or of the whole portion if there is no unit. */
export function assumed(
  food: Food,
  grams: number,
  certainty: number,
  per?: { unit: string; count: number },
): PortionWeight {
  const one = formatGrams(grams / (per?.count || 1));
  const assumption =
    per && per.unit !== YIELD
      ? `${one} per ${nameOf(food, per.unit)}`
      : `${one} of ${food.name}${per ? ` per ${food.name.split(" ", 1).join("")}` : ""}`;
  return { grams, certainty, assumption };
}

function nameOf(food: Food, unit: string): string {
  if (unit === EACH) return food.name.split(" ").map(singular).join(" ");
  return SIZE_NAMES.has(unit) ? `${unit} ${food.name}` : `${unit} of ${food.name}`;
}

function formatGrams(grams: number): string {
  return `${grams < 10 ? Math.round(grams * 10) / 10 : Math.round(grams)} g`;
}
