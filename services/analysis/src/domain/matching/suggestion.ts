import type { FoodIndex } from "./food-index.ts";
import { isDescription } from "../text/name-words.ts";
import { oneLetterAway } from "../text/spelling.ts";

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
