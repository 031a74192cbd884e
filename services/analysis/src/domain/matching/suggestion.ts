import type { FoodIndex } from "./food-index.ts";
import { isDescription } from "../text/name-words.ts";
import { oneLetterAway, isNear } from "../text/spelling.ts";

/** Maximum words of a name that is suggested. */
const WORDS_MAX = 4;
const WORD_MIN = 2;
const WORD_MAX = 14;

/**
 * The food name that is one letter away from the words after the usual corrections: "scrambled egg"
 * for "sgrambled eg". Undefined if none is that close.
 */
export function suggestName(words: readonly string[], index: FoodIndex): string | undefined {
  if (words.length === 0 || words.length > WORDS_MAX) return undefined;
  const corrected = index.correct(words);
  const unknown = corrected.filter((word) => !index.knows(word) && !isDescription(word));
  const [open] = unknown;
  if (open === undefined) return index.findByName(corrected.join(" ")) && corrected.join(" ");
  if (unknown.length > 1 || open.length < WORD_MIN || open.length > WORD_MAX) return undefined;
  const at = corrected.indexOf(open);
  for (const near of oneLetterAway(open)) {
    if (!index.knows(near)) continue;
    const name = corrected.with(at, near).join(" ");
    if (index.findByName(name)) return name;
  }
  return undefined;
}

/** A word of food names that resembles a misspelt one. */
export interface LikeWord {
  readonly like: string;
  /** Number of names that have it. */
  readonly foods: number;
}

/** Minimum length of words with two corrected letters, and of words with a letter too many. */
const TWO_EDITS_MIN = 8;
const LETTER_MORE_MIN = 6;

/** The most likely meaning of a word: the fewest changed letters, then the most common word. */
export function nearestWord(word: string, alike: readonly LikeWord[]): string | undefined {
  // Short words are corrected only for a missing letter: "mochi" is not mocha.
  const possible = alike.filter(
    ({ like }) => word.length >= LETTER_MORE_MIN || like.length > word.length,
  );
  for (const edits of word.length < TWO_EDITS_MIN ? [1] : [1, 2]) {
    const [first, ...others] = possible.filter(({ like }) => isNear(word, like, edits));
    if (first)
      return others.reduce((best, next) => (next.foods > best.foods ? next : best), first).like;
  }
  return undefined;
}
