import type { Food } from "../foods/food.ts";
import { isDescription } from "../text/vocabulary.ts";

/** Maximum score: a match by words is less certain than a name. */
const SCORE_MAX = 0.88;
/** Weights of a score's parts: of the phrase, of the head of the name, of the whole name. */
const WORTH = { coverage: 0.6, head: 0.25, name: 0.1, sameHead: 0.05 } as const;
/** Weight of a word that only describes; other words weigh 1. */
const DESCRIPTION_WEIGHT = 0.3;
/** Minimum share of the phrase that a name must cover, and minimum score. */
const COVERAGE_MIN = 0.6;
const SCORE_MIN = 0.65;

/** A candidate for the food that a phrase means. */
export interface FoodMatch {
  readonly food: Food;
  /** 0 to 1: how well the phrase and the food's name agree; 1 for an exact name. */
  readonly score: number;
  /** Words of the phrase that no name of the food contains. */
  readonly unmatched: readonly string[];
}

/** A food name to compare with a phrase. */
export interface FoodName {
  readonly food: Food;
  readonly words: ReadonlySet<string>;
  /** The words that say what the food is: in our names all, in USDA's those before the comma. */
  readonly head: readonly string[];
}

/** How well a name matches a phrase. */
export interface NameMatch extends FoodMatch {
  readonly name: FoodName;
  /** Whether the name covers enough of the phrase to be what it means. */
  readonly isAnswer: boolean;
}

/** Compares names with a phrase and returns the best first. Scores range from 0 to 0.88. */
export function matchNames(said: readonly string[], names: readonly FoodName[]): NameMatch[] {
  return names.map((name) => matchName(said, name)).sort((a, b) => b.score - a.score);
}

function matchName(said: readonly string[], name: FoodName): NameMatch {
  const { food, words, head } = name;
  const phrase = new Set(said);
  const coverage = shareOf(phrase, words);
  const score =
    WORTH.coverage * coverage +
    WORTH.head * shareOf(head, phrase) +
    WORTH.name * shareOf(words, phrase) +
    (head.at(-1) === said.at(-1) ? WORTH.sameHead : 0);
  const isAnswer = coverage >= COVERAGE_MIN && score >= SCORE_MIN;
  const unmatched = said.filter((word) => !words.has(word));
  return { food, name, score: Math.min(SCORE_MAX, score), unmatched, isAnswer };
}

/** Weighted share of the words that are among `others`, 0 to 1. */
function shareOf(words: Iterable<string>, others: ReadonlySet<string>): number {
  let [shared, all] = [0, 0];
  for (const word of words) {
    const weight = isDescription(word) ? DESCRIPTION_WEIGHT : 1;
    all += weight;
    if (others.has(word)) shared += weight;
  }
  return shared / all;
}
