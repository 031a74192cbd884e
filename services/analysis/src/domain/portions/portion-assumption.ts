import { EACH } from "../foods/food.ts";
import type { Food } from "../foods/food.ts";
import { singular } from "../text/spelling.ts";
import { SIZE_FACTORS } from "../text/units.ts";

/** What a portion weighs and how sure that is. */
export interface PortionWeight {
  readonly grams: number;
  /** 0 to 1. */
  readonly certainty: number;
  /** What was assumed, such as `28 g per slice of white bread`; undefined when nothing was. */
  readonly assumption: string | undefined;
}

/** What the whole named first yields: "lemon juice" of a lemon. */
const YIELD = "yield";
const SIZE_NAMES: ReadonlySet<string> = new Set(Object.keys(SIZE_FACTORS));

/** A weight that nothing was assumed for. */
export function certain(grams: number, certainty: number): PortionWeight {
  return { grams, certainty, assumption: undefined };
}

/** What one of the units is assumed to weigh; without a unit, what the whole portion is. */
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
