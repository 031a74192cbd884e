import type { FoodIndex } from "./food-index.ts";
import { isDescription } from "../text/name-words.ts";
import { oneLetterAway, isNear } from "../text/spelling.ts";

/** Names of more words are not guessed at. */
const WORDS_MAX = 4;
const WORD_MIN = 2;
const WORD_MAX = 14;

/**
 * The name of a food that is one letter of one word away from the words, after usual corrections:
 * "scrambled egg" for "sgrambled eg". Undefined when none is as near.
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

/** A word of the foods' names that a misspelt one resembles. */
export interface LikeWord {
  readonly word: string;
  readonly like: string;
  /** Foods that have it in their names. */
  readonly foods: number;
}

const EDITS_MAX = 2;
/** Shortest word in which two letters may be wrong. */
const LONG_WORD = 6;

/** What each word most likely means: the one with the fewest letters changed, then the most common. */
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
