import type { Term } from "./search-text.ts";

/**
 * Text queries of PostgreSQL. Terms hold letters and digits only, so that quoting them is all that is
 * needed.
 */
export function allOf(terms: readonly Term[]): string {
  return terms.map(anyOf).join(" & ");
}

/** A text query that any of the terms answers. */
export function someOf(terms: readonly Term[]): string {
  return terms.map(anyOf).join(" | ");
}

function anyOf(term: Term): string {
  const phrases = term.map((words) => `(${words.map((word) => `'${word}'`).join(" & ")})`);
  return `(${phrases.join(" | ")})`;
}

/** All words of the terms, also of those that mean the same. */
export function wordsOfTerms(terms: readonly Term[]): string {
  return terms.flat(2).join(" ");
}

/** What a plain food is not: it lowers a name that nobody asked it of. */
const UNWANTED: readonly string[] =
  "babyfood baby toddler infant dry mix powder powdered flour leaves canned dried dehydrated freeze juice restaurant sodium imitation substitute unprepared concentrate concentrated meatless pickled candied seed seeds skin bran sprouted diet sweetened reduced light lowfat fat free topping flavored stuffed breaded coated creamed dressing chips salad soup pie cake sandwich sauce fried glutinous spinach".split(
    " ",
  );

/** A text query of what a plain food is not, without what the words ask for. */
export function unwantedBesides(words: readonly string[]): string {
  const stems = words.map(stem);
  const rest = UNWANTED.filter((word) => !stems.includes(stem(word)));
  return rest.map((word) => `'${word}'`).join(" | ");
}

/** Enough of a word to know its plural and its participle by. */
function stem(word: string): string {
  return word.replace(/(?:es|s|ed|y)$/u, "");
}
