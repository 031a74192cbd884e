import type { Food } from "../foods/food.ts";
import type { FoundFood } from "../composition/found-food.ts";
import type { LineReading } from "../line-reader.ts";
import { isStateUnsaid } from "../composition/prepared-food.ts";
import { hasAmount } from "../composition/read-part.ts";
import { words } from "../text/words.ts";

/** A name of the food itself; every other way to find it is less sure. */
const NAMED = 0.98;
/** Part of a match below a described name that is trusted. */
const RANKED_TRUST = 0.85;
const DESCRIBED_SCORE_MIN = 0.9;
/** What it costs that a vegetable or pulse may have been cooked with fat, and nobody said so. */
const FAT_UNSAID = 0.8;
const OFTEN_IN_FAT = words("vegetables legumes");
/** Grams per 100 g from which the fat is counted in. */
const PLAIN_FAT_MAX = 3;
/** What it costs that one chop, fillet or muffin weighs half of another, when nobody weighed it. */
const PIECE_UNWEIGHED = 0.85;
const SOLD_IN_ANY_SIZE = words("meat fish bakery pancakes");
/** What it costs that every kitchen cooks a dish in its own way. */
const RECIPE_UNSAID = 0.95;
const COOKED_BY_RECIPE = words("dishes");
/** What it costs that a weight of rice or pasta may be of the dry food, and nobody said so. */
const STATE_UNSAID = 0.8;
/** What a part that was left out costs. */
const LEFT_OUT = 0.6;
/** What it costs that how much of each goes together was assumed. */
const TOGETHER = 0.85;
/** A food counts in proportion to its energy, but no less than this many kcal. */
const WEIGHT_MIN = 20;

/**
 * 0 to 1: the evidence for each food and for its portion, weighed by energy. Computed, not asked for:
 * a model's own confidence predicts its errors near chance. The costs were measured on some 1,400
 * labelled lines; lines that nobody had seen before bear them out within three points.
 */
export function confidenceOf({ foods, unknown }: LineReading): number {
  let [total, weights] = [0, 0];
  for (const found of foods) {
    const { match, weight } = found;
    const energy = (match.food.per100Grams.calories * weight.grams) / 100;
    const importance = Math.max(WEIGHT_MIN, energy);
    total += importance * matchCertainty(found) * portionCertainty(found) * weight.certainty;
    weights += importance;
  }
  if (weights === 0) return 0;
  const together = isGuessedTogether(foods) ? TOGETHER : 1;
  return (total / weights) * together * LEFT_OUT ** unknown.length;
}

/** Whether of several foods of a line one at least has no amount. */
function isGuessedTogether(foods: readonly FoundFood[]): boolean {
  return foods.length > 1 && !foods.every(hasAmount);
}

/** How far pieces of such food are alike; where none are counted, the usual portion is. */
function portionCertainty(found: FoundFood): number {
  const { match, amount } = found;
  if (isStateUnsaid(found)) return STATE_UNSAID;
  const isCounted = hasAmount({ amount }) && amount.measure === undefined;
  return SOLD_IN_ANY_SIZE.has(match.food.group) && isCounted ? PIECE_UNWEIGHED : 1;
}

function matchCertainty({ match }: FoundFood): number {
  const named = NAMED * figuresCertainty(match.food);
  if (match.score >= 1) return named;
  return match.score > DESCRIBED_SCORE_MIN ? named * match.score : match.score * RANKED_TRUST;
}

/** How far all food of that name has the same figures. */
function figuresCertainty(food: Food): number {
  if (isFatUnsaid(food)) return FAT_UNSAID;
  return COOKED_BY_RECIPE.has(food.group) ? RECIPE_UNSAID : 1;
}

/** A cooked vegetable or pulse that may have been cooked with fat: 2 g per 100 g more (FNDDS). */
function isFatUnsaid({ group, kind, per100Grams }: Food): boolean {
  const isPlain = (per100Grams.fat ?? 0) < PLAIN_FAT_MAX;
  return kind === "food" && OFTEN_IN_FAT.has(group) && isPlain;
}
