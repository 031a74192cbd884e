import type { SearchText, Term } from "../domain/matching/search-text.ts";
import { unwantedBesides, wordsOfTerms } from "../domain/matching/search-terms.ts";
import type { FoodQuery } from "../store/food-search.ts";

/** One of the texts that are searched for together, as it was read. */
export interface Read extends SearchText {
  /** Number of the text, from 0. */
  readonly at: number;
  /** References of foods that people call so. */
  readonly references: readonly string[];
}

/** What to look for in the generic foods; `query` is the condition. */
export function queryOf({ words, terms, references }: Read, query: string): FoodQuery {
  const asked = wordsOfTerms(terms);
  return {
    query,
    words: words.join(" "),
    unwanted: unwantedBesides(asked.split(" ")),
    asked,
    references,
    denied: `\\m(?:no|non|without|not) (?:${words.join("|")})\\M`,
  };
}

/** The same text with other terms. */
export function withTerms(read: Read, terms: readonly Term[]): Read {
  return { ...read, terms, words: terms.flatMap(([written = []]) => written) };
}
