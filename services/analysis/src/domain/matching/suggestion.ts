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
  readonly word: string;
  readonly like: string;
  /** Number of foods with it in their names. */
  readonly foods: number;
}

const EDITS_MAX = 2;
/** Minimum length of words with two corrected letters. */
const LONG_WORD = 6;

/** The most likely meaning of each word: the fewest changed letters, then the most common word. */
export function nearestWords(candidates: readonly LikeWord[]): Map<string, string> {
  const best = new Map<string, { like: string; cost: number }>();
  for (const { word, like, foods } of candidates) {
    const edits = editsBetween(word, like);
    if (edits > (word.length < LONG_WORD ? 1 : EDITS_MAX)) continue;
    const cost = edits - Math.log10(1 + foods) / 5;
    if (cost < (best.get(word)?.cost ?? Infinity)) best.set(word, { like, cost });
  }
  return new Map([...best].map(([word, { like }]) => [word, like]));
}

function editsBetween(one: string, other: string): number {
  let edits = 0;
  while (edits <= EDITS_MAX && !isNear(one, other, edits)) edits += 1;
  return edits;
}
