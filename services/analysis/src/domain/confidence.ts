import type { FoundFood } from "./found-food.ts";
import type { LineReading } from "./line-reader.ts";

/** A name of the food itself; every other way to find it is less sure. */
const NAMED = 0.98;
/** Part of a match below a described name that is trusted. */
const RANKED_TRUST = 0.85;
const DESCRIBED_SCORE_MIN = 0.9;
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
  if (match.score >= 1) return NAMED;
  return match.score > DESCRIBED_SCORE_MIN ? NAMED * match.score : match.score * RANKED_TRUST;
}
