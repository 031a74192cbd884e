import type { Food } from "../foods/food.ts";
import type { FoodMatch } from "./food-index.ts";
import { headWords } from "../text/food-words.ts";
import { isDescription, withoutEmpty } from "../text/name-words.ts";
import type { Spellings } from "../text/spelling.ts";
import { tokenize, wordsOf } from "../text/tokens.ts";

/** Maximum score of a match by words; an exact name scores 1. */
const SCORE_MAX = 0.88;
/**
 * Weights of a score's parts: coverage of the phrase, match of the head, of the whole name, and of
 * the same last word.
 */
const WORTH = { coverage: 0.6, head: 0.25, name: 0.1, sameHead: 0.05 } as const;

/** A name to compare with a phrase. */
export interface ComparedName {
  readonly words: ReadonlySet<string>;
  /** Words that say what the food is: in USDA names, those before the first comma. */
  readonly head: readonly string[];
}

/** How well a name matches a phrase. */
export interface MatchScore {
  /** Share of the phrase that the name covers, 0 to 1. */
  readonly coverage: number;
  /** 0 to 0.88. */
  readonly score: number;
}

/** Compares a phrase with a name; words are weighted by `weightOf`, which is never 0. */
export function scoreMatch(
  said: readonly string[],
  { words, head }: ComparedName,
  weightOf: (word: string) => number,
): MatchScore {
  const sum = (counted: Iterable<string>) => {
    let total = 0;
    for (const word of counted) total += weightOf(word);
    return total;
  };
  const shareOf = (name: Iterable<string>) => {
    const all = [...name];
    return sum(all.filter((word) => said.includes(word))) / sum(all);
  };
  const phrase = new Set(said);
  const coverage = sum([...phrase].filter((word) => words.has(word))) / sum(phrase);
  const isSameHead = head.at(-1) === said.at(-1);
  const score =
    WORTH.coverage * coverage +
    WORTH.head * shareOf(head) +
    WORTH.name * shareOf(words) +
    (isSameHead ? WORTH.sameHead : 0);
  return { coverage, score: Math.min(SCORE_MAX, score) };
}

/** Minimum share of the phrase that the food's name must cover. */
const COVERAGE_MIN = 0.6;
const SCORE_MIN = 0.65;
/** Weight of words that only describe, relative to other words. */
const DESCRIPTION_WEIGHT = 0.3;
const FOODS_MAX = 200;

/**
 * The fetched food that the phrase most likely means. Reference tables put the noun first ("Beans,
 * black, cooked"), so a high score requires all words before the first comma. A branded food
 * matches only if the phrase names the brand.
 */
export function matchExtraFood(
  phrase: readonly string[],
  foods: readonly Food[],
  spellings: Spellings,
): FoodMatch | undefined {
  const said = withoutEmpty(phrase);
  const matches = foods.slice(0, FOODS_MAX).flatMap((food) => matchOf(said, food, spellings) ?? []);
  return matches.sort((a, b) => b.score - a.score)[0];
}

function matchOf(said: readonly string[], food: Food, spellings: Spellings): FoodMatch | undefined {
  const wordsIn = (text: string) => withoutEmpty(wordsOf(tokenize(text, spellings)));
  const brand = wordsIn(food.brand ?? "");
  if (!brand.every((word) => said.includes(word))) return undefined;
  const [head, nameWords] = [wordsIn(headWords(food.name)), wordsIn(food.name)];
  if (said.length === 0 || head.length === 0) return undefined;
  // A "toaster pastry" is not a toaster.
  if (said.length === 1 && said[0] !== head.at(-1)) return undefined;
  const name = new Set([...nameWords, ...brand]);
  const unmatched = said.filter((word) => !name.has(word));
  const { coverage, score } = scoreMatch(said, { words: name, head }, weightOf);
  const answers = coverage >= COVERAGE_MIN && score >= SCORE_MIN;
  return answers ? { food, score, unmatched } : undefined;
}

function weightOf(word: string): number {
  return isDescription(word) ? DESCRIPTION_WEIGHT : 1;
}
