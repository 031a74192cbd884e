import logOdds from "../../../foods/confidence.json" with { type: "json" };
import type { FoundFood } from "../composition/read-part.ts";
import { hasNoStatedState } from "../composition/prepared-food.ts";
import { hasAmount } from "../composition/read-part.ts";
import type { LineReading, LineReader } from "../line-reader.ts";
import { words } from "../text/words.ts";
import { isDescription } from "../text/name-words.ts";
import { wordsOf } from "../text/tokens.ts";

/**
 * Log-odds that the calories are right, and what each kind of evidence takes from them. Fitted to the
 * labelled lines by `test/bench/analysis/calibrate.ts`, which also tells how far half of them bears
 * out what was fitted to the other half, and writes the file.
 */
const LOG_ODDS: Readonly<Record<string, number>> = logOdds;

/**
 * Below `CLEAR` the confidence of a list of foods is that much less, so that of the answers above 0.8
 * at least 96 % are right.
 */
const CLEAR = 0.91;
const CAUTION = 0.115;

/** What is known of where a reading may be wrong; shares are by energy, 0 to 1. */
export type Evidence = ReadonlyMap<string, number>;

const OFTEN_IN_FAT = words("vegetables legumes");
/** Grams per 100 g from which the fat is counted in. */
const PLAIN_FAT_MAX = 3;
const SOLD_IN_ANY_SIZE = words("meat fish bakery pancakes");
const COOKED_BY_RECIPE = words("dishes");
/** A food counts in proportion to its energy, but no less than this many kcal. */
const WEIGHT_MIN = 20;
const DESCRIBED_SCORE_MIN = 0.9;
/** Edges of how sure a weight is, each with the evidence below it; a unit of the food is no doubt. */
const WEIGHED: readonly (readonly [below: number, evidence: string])[] = [
  [0.7, "guessed weight"],
  [0.8, "usual vessel or side"],
  [0.9, "usual portion"],
];

/**
 * 0 to 1: the evidence for each food and for its portion, weighed by energy. Computed, not asked for:
 * a model's own confidence predicts its errors near chance. `trust` is what the words around the
 * foods leave of it, 0 to 1.
 */
export function confidenceOf(reading: LineReading, trust = 1): number {
  if (reading.foods.length === 0) return 0;
  let odds = LOG_ODDS["base"] ?? 0;
  for (const [name, share] of evidenceOf(reading)) odds += (LOG_ODDS[name] ?? 0) * share;
  const fitted = trust / (1 + Math.exp(-odds));
  const sure = fitted < CLEAR && !reading.isText ? Math.max(0, fitted - CAUTION) : fitted;
  return Math.min(sure, mostCertain(reading));
}

/** What recipes that are only estimates leave at most. */
function mostCertain({ foods }: LineReading): number {
  const weights = weightsOf(foods);
  return foods.reduce(
    (sum, { match }, at) => sum + (match.food.certaintyMax ?? 1) * (weights[at] ?? 0),
    0,
  );
}

/** Shares of the energy, which sum to 1. */
function weightsOf(foods: readonly FoundFood[]): number[] {
  const weights = foods.map(({ match, weight }) =>
    Math.max(WEIGHT_MIN, (match.food.per100Grams.calories * weight.grams) / 100),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** What speaks against a reading. */
export function evidenceOf({ foods, unknown, unread, isText }: LineReading): Evidence {
  const evidence = new Map<string, number>();
  const add = (name: string, share: number) =>
    evidence.set(name, (evidence.get(name) ?? 0) + share);
  const weights = weightsOf(foods);
  foods.forEach((found, at) => {
    for (const name of evidenceOfFood(found)) add(name, weights[at] ?? 0);
  });
  if (foods.length > 1 && !foods.every(hasAmount)) add("amount of one unsaid", 1);
  if (unknown.length > 0) add("left out", unknown.length);
  if (isText) add("running text", 1);
  if (unread > 0) add("unread words", Math.log2(1 + unread));
  return evidence;
}

function* evidenceOfFood(found: FoundFood): Generator<string> {
  const { match, weight, amount } = found;
  const weighed = WEIGHED.find(([below]) => weight.certainty < below);
  if (weighed) yield weighed[1];
  if (match.score < 1) yield match.score > DESCRIBED_SCORE_MIN ? "described" : "resembling";
  const { group, kind, per100Grams } = match.food;
  const isPlain = kind === "food" && (per100Grams.fat ?? 0) < PLAIN_FAT_MAX;
  if (OFTEN_IN_FAT.has(group) && isPlain) yield "fat unsaid";
  const isCounted = hasAmount({ amount }) && amount.measure === undefined;
  if (SOLD_IN_ANY_SIZE.has(group) && isCounted) yield "any size";
  if (COOKED_BY_RECIPE.has(group)) yield "any recipe";
  if (hasNoStatedState(found)) yield "dry or cooked unsaid";
}

/** Names of so many different dishes that which one it was is a guess. */
const ANY_DISH = words("salad soup curry stew pie cake sandwich casserole");
const VAGUE = words("leftover mixed assorted random some various");
const ANY_DISH_TRUST = 0.85;
const VAGUE_TRUST = 0.9;

/** 0 to 1: what the confidence is worth of a line that says "a salad" or "leftover pizza". */
export function trustInNames(
  said: ReadonlySet<string>,
  foods: readonly FoundFood[],
  reader: LineReader,
): number {
  const [main] = foods;
  if (!main || main.amount.measure?.kind === "mass") return 1;
  const name = wordsOf(reader.quantify(main.text).name).filter((word) => !isDescription(word));
  const isAnyDish = ANY_DISH.has(main.match.food.name) || isAny(name);
  const isVague = !main.amount.counted && [...said].some(isVagueWord);
  return (isAnyDish ? ANY_DISH_TRUST : 1) * (isVague ? VAGUE_TRUST : 1);
}

function isAny(name: readonly string[]): boolean {
  return name.length === 1 && ANY_DISH.has(name[0] ?? "");
}

function isVagueWord(word: string): boolean {
  return VAGUE.has(word);
}
