import logOdds from "../../../foods/confidence.json" with { type: "json" };
import { hasAmount } from "../segmentation/amount.ts";
import type { FoundFood } from "../composition/read-part.ts";
import { hasNoStatedState } from "../composition/prepared-food.ts";
import type { LineReading } from "../line-reader.ts";
import { words } from "../text/words.ts";

/**
 * Log-odds that the calories are right, and how much each kind of evidence lowers them. Fitted to
 * the labelled lines by `test/bench/analysis/calibrate.ts`, which cross-validates the fit on two
 * halves and writes the file.
 */
const LOG_ODDS: Readonly<Record<string, number>> = logOdds;

/**
 * The confidence of a list of foods is at most `UNSURE` below `CLEAR`, and with more than `DISHES_MAX` of its energy in
 * dishes, whose recipes differ from kitchen to kitchen: so 96 % of the answers above 0.8 are right.
 */
const CLEAR = 0.925;
const DISHES_MAX = 0.3;
const UNSURE = 0.79;

const OFTEN_IN_FAT = words("vegetables legumes");
/** Fat in g per 100 g up to which a food is plain. */
const PLAIN_FAT_MAX = 3;
const SOLD_IN_ANY_SIZE = words("meat fish bakery pancakes");
/** Names that many different dishes share, and the factor for a line that names no particular one. */
const ANY_DISH = words("salad soup curry stew pie cake sandwich casserole");
const ANY_DISH_TRUST = 0.85;
/** Foods count in proportion to their energy, and at least as this many kcal. */
const WEIGHT_MIN = 20;
const DESCRIBED_SCORE_MIN = 0.9;
/** Evidence by certainty of the weight, in ascending order; a food's own unit counts as certain. */
const WEIGHED = [
  { below: 0.7, evidence: "guessed weight" },
  { below: 0.8, evidence: "usual vessel or side" },
  { below: 0.9, evidence: "usual portion" },
];

/**
 * Confidence from 0 to 1: the evidence for each food and its portion, weighted by energy. Computed
 * instead of asked for, because a model's own confidence predicts its errors hardly better than
 * chance. `trust`, 0 to 1, is lowered by the words around the foods.
 */
export function confidenceOf(reading: LineReading, trust = 1): number {
  const { foods, isText } = reading;
  const [main] = foods;
  if (!main) return 0;
  let odds = LOG_ODDS["base"] ?? 0;
  const evidence = evidenceOf(reading);
  for (const [name, share] of evidence) odds += (LOG_ODDS[name] ?? 0) * share;
  const isVague = ANY_DISH.has(main.match.food.name) && main.amount.measure?.kind !== "mass";
  const vague = isVague ? ANY_DISH_TRUST : 1;
  const fitted = (trust * vague) / (1 + Math.exp(-odds));
  const isClear = fitted >= CLEAR && (evidence.get("any recipe") ?? 0) <= DISHES_MAX;
  const sure = isClear || isText ? fitted : Math.min(fitted, UNSURE * vague);
  // Recipes that are marked as estimates are never more certain.
  const most = weightsOf(foods).map(
    (share, at) => share * (foods[at]?.match.food.certaintyMax ?? 1),
  );
  return Math.min(sure, sumOf(most));
}

/** Shares of the energy, which sum to 1. */
function weightsOf(foods: readonly FoundFood[]): number[] {
  const weights = foods.map(({ match, weight }) =>
    Math.max(WEIGHT_MIN, (match.food.per100Grams.calories * weight.grams) / 100),
  );
  const total = sumOf(weights);
  return weights.map((weight) => weight / total);
}

/** The evidence that a reading may be wrong, as shares of energy from 0 to 1. */
export function evidenceOf({ foods, unknown, unread, isText }: LineReading) {
  const evidence = new Map<string, number>();
  const add = (name: string, share: number) =>
    evidence.set(name, (evidence.get(name) ?? 0) + share);
  const weights = weightsOf(foods);
  foods.forEach((found, at) => {
    for (const name of evidenceOfFood(found)) add(name, weights[at] ?? 0);
  });
  if (foods.length > 1 && !foods.every(hasAmount)) add("amount of one unsaid", 1);
  // The errors of several foods even out.
  add("few foods", 1 / Math.max(1, foods.length));
  // Pieces and cups are told of plain foods; what is weighed may be anything.
  if (foods.every(({ amount }) => amount.measure?.kind === "mass")) add("all weighed", 1);
  if (unknown.length > 0) add("left out", unknown.length);
  if (isText) add("running text", 1);
  if (unread > 0) add("unread words", Math.log2(1 + unread));
  return evidence;
}

function* evidenceOfFood(found: FoundFood): Generator<string> {
  const { match, weight, amount } = found;
  const weighed = WEIGHED.find(({ below }) => weight.certainty < below);
  if (weighed) yield weighed.evidence;
  if (match.score < 1) yield match.score > DESCRIBED_SCORE_MIN ? "described" : "resembling";
  const { group, kind, per100Grams } = match.food;
  const isPlain = kind === "food" && (per100Grams.fat ?? 0) < PLAIN_FAT_MAX;
  if (OFTEN_IN_FAT.has(group) && isPlain) yield "fat unsaid";
  const isCounted = hasAmount({ amount }) && amount.measure === undefined;
  if (SOLD_IN_ANY_SIZE.has(group) && isCounted) yield "any size";
  if (group === "dishes") yield "any recipe";
  if (hasNoStatedState(found)) yield "dry or cooked unsaid";
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
