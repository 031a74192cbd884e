import type { FoodIndex } from "./food-index.ts";
import { isDescription } from "../text/name-words.ts";

/** Names of more words are not guessed at. */
const WORDS_MAX = 4;
const WORD_MIN = 2;
const WORD_MAX = 14;
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

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

/** Words with a letter doubled, swapped, added, replaced or left out, likelier mistakes first. */
function* oneLetterAway(word: string): Generator<string> {
  const cut = Array.from({ length: word.length + 1 }, (_, at) => at);
  for (const at of cut.slice(1)) yield word.slice(0, at) + word.slice(at - 1);
  for (const at of cut.slice(0, -2)) {
    yield word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
  }
  for (const at of cut.slice(1)) for (const letter of LETTERS) yield insert(word, at, letter, 0);
  for (const at of cut.slice(0, -1))
    for (const letter of LETTERS) yield insert(word, at, letter, 1);
  if (word.length > 3) for (const at of cut.slice(0, -1)) yield insert(word, at, "", 1);
  for (const letter of LETTERS) yield letter + word;
}

function insert(word: string, at: number, letter: string, dropped: number): string {
  return word.slice(0, at) + letter + word.slice(at + dropped);
}
