import { EACH, SERVING } from "./food.ts";
import type { NamedPortion } from "./imported-food.ts";
import { FLUID_OUNCE_ML, findHouseholdUnit, findMeasure, findSize } from "../text/units.ts";
import { foldWords } from "../text/food-words.ts";

const SERVING_GRAMS = 100;

/**
 * Portions by our own names, always with a `serving`. If several portions of a table have the same
 * name of ours, the first counts.
 */
export function readPortions(portions: readonly NamedPortion[], foodName: string) {
  const byName = new Map<string, number>();
  const head = new Set(foldWords(foodName.split(",")[0] ?? "").split(" "));
  for (const { name, grams } of portions) {
    for (const key of keysOf(name, head)) if (!byName.has(key)) byName.set(key, grams);
  }
  if (!byName.has(SERVING)) {
    const usual = byName.get(EACH) ?? byName.get("medium") ?? portions[0]?.grams;
    byName.set(SERVING, usual ?? SERVING_GRAMS);
  }
  return byName;
}

/** Grams per milliliter, if one of the portions is a fluid ounce. */
export function densityOf(portions: readonly NamedPortion[]): number | undefined {
  const ounce = portions.find(({ name }) => /^fl\.? oz\b/iu.test(name));
  return ounce && ounce.grams / FLUID_OUNCE_ML;
}

function keysOf(name: string, head: ReadonlySet<string>): string[] {
  const words = foldWords(name.split(/[,(]/u)[0] ?? "").split(" ");
  if (words.join(" ") === SERVING) return [SERVING];
  const size = words
    .map((word, at) => findSize(words.slice(at, at + 2).join(" ")) ?? findSize(word))
    .find((found) => found !== undefined);
  // "1 banana" of bananas is a whole one.
  const isWhole = words.some((word) => head.has(word) || head.has(`${word}s`));
  if (size === "medium") return ["medium", EACH];
  if (size !== undefined) return [size];
  const [first = ""] = words;
  const measure = findMeasure(first, false);
  if (measure?.kind === "volume" && measure.portion) return [measure.portion];
  const unit = findHouseholdUnit(first);
  if (unit !== undefined) return [unit];
  return isWhole || first === "item" || first === "whole" ? [EACH] : [];
}
