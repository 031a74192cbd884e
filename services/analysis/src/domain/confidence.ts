import type { Food } from "./food.ts";
import type { FoundFood } from "./found-food.ts";
import type { LineReading } from "./line-reader.ts";
import { words } from "./words.ts";

/** A name of the food itself; every other way to find it is less sure. */
const NAMED = 0.98;
/** Part of a match below a described name that is trusted. */
const RANKED_TRUST = 0.85;
const DESCRIBED_SCORE_MIN = 0.9;
/** What it costs that a vegetable or pulse may have been cooked with fat, and nobody said so. */
const FAT_UNSAID = 0.83;
const OFTEN_IN_FAT = words("vegetables legumes");
/** Grams per 100 g from which the fat is counted in. */
const PLAIN_FAT_MAX = 3;
/** What a part that was left out costs. */
const LEFT_OUT = 0.6;
/** What it costs that how much of each goes together was assumed (measured on `labels/`). */
const TOGETHER = 0.85;
/** A food counts in proportion to its energy, but no less than this many kcal. */
const WEIGHT_MIN = 20;

/**
 * 0 to 1: the evidence for each food and for its portion, weighed by energy. Computed, not asked for:
 * a model's own confidence predicts its errors near chance.
 */
export function confidenceOf({ foods, unknown }: LineReading): number {
  let [total, weights] = [0, 0];
  for (const found of foods) {
    const { match, weight } = found;
    const energy = (match.food.per100Grams.calories * weight.grams) / 100;
    const importance = Math.max(WEIGHT_MIN, energy);
    total += importance * matchCertainty(found) * weight.certainty;
    weights += importance;
  }
  if (weights === 0) return 0;
  const together = isGuessedTogether(foods) ? TOGETHER : 1;
  return (total / weights) * together * LEFT_OUT ** unknown.length;
}

/** Whether several foods of a line have portions of which one was assumed at least. */
function isGuessedTogether(foods: readonly FoundFood[]): boolean {
  return foods.length > 1 && foods.some(({ weight }) => weight.assumption !== undefined);
}

function matchCertainty({ match }: FoundFood): number {
  const named = isFatUnsaid(match.food) ? NAMED * FAT_UNSAID : NAMED;
  if (match.score >= 1) return named;
  return match.score > DESCRIBED_SCORE_MIN ? named * match.score : match.score * RANKED_TRUST;
}

/** A cooked vegetable or pulse that may have been cooked with fat: 2 g per 100 g more (FNDDS). */
function isFatUnsaid({ group, kind, per100Grams }: Food): boolean {
  const isPlain = (per100Grams.fat ?? 0) < PLAIN_FAT_MAX;
  return kind === "food" && OFTEN_IN_FAT.has(group) && isPlain;
}
