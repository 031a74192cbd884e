import { singular } from "./spelling.ts";
import { wordList } from "./words.ts";

const EMPTY_WORDS = wordList("unstemmed");

/** What the forms of a word have in common: "toasted", "toast" and "toasts" are one. */
export function stem(word: string): string {
  const one = singular(word);
  return one.length < 5 ? one : one.replace(/(?:ed|ing|e|y)$/u, "");
}

/** The stems of folded words, each once, in order; words that say nothing are left out. */
export function stemsOf(words: string, stemOf: (word: string) => string = stem): string[] {
  const telling = words.split(" ").filter((word) => !EMPTY_WORDS.has(word));
  return [...new Set(telling.map(stemOf))];
}
