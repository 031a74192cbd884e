import type { SearchQuery } from "../domain/matching/food-ranking.ts";
import type { FoodIndex } from "../domain/matching/food-index.ts";
import type { FoodMatch } from "../domain/matching/name-match.ts";
import { readSearchText, Synonyms } from "../domain/matching/search-text.ts";
import type { Term } from "../domain/matching/search-text.ts";
import { tokenize, wordsOf } from "../domain/text/tokens.ts";

/** Minimum score of a match whose words are a name of the food, in any order. */
export const NAMED_SCORE = 0.97;

/** Turns search texts into queries; adds synonyms and the curated foods that they name. */
export class QueryReader {
  readonly #synonyms: Synonyms;
  readonly #index: FoodIndex;

  constructor(index: FoodIndex) {
    this.#synonyms = new Synonyms(index.vocabulary.spellings);
    this.#index = index;
  }

  /** What to search for, without amounts and containers. */
  read(text: string): SearchQuery {
    const read = readSearchText(text, this.#synonyms);
    const references = [text, read.words.join(" ")].flatMap((said) => this.#referencesOf(said));
    return { ...read, references };
  }

  /** What to search for if the words are known, such as corrected ones. */
  ofWords(words: readonly string[]): SearchQuery {
    const references = this.#referencesOf(words.join(" "));
    return { words, terms: this.#synonyms.termsOf(words), references };
  }

  /** Whether the word occurs in names of everyday foods, so that alone it names no brand. */
  isEveryday(word: string): boolean {
    return this.#wordsIn(word).every((known) => this.#index.knows(known));
  }

  /** The curated foods that a text may mean, best first. */
  curated(text: string, limit: number): FoodMatch[] {
    const words = this.#wordsIn(text);
    const named = this.#index.match(words);
    const others = this.#index.search(words, limit).filter(({ food }) => food !== named?.food);
    return named ? [named, ...others] : others;
  }

  /** References of the curated food with that name. */
  #referencesOf(text: string): string[] {
    const named = this.#index.match(this.#wordsIn(text));
    return named && named.score >= NAMED_SCORE ? [named.food.reference] : [];
  }

  #wordsIn(text: string): string[] {
    return wordsOf(tokenize(text, this.#index.vocabulary.spellings));
  }
}

/** What to search for if only these terms are required. */
export function ofTerms(terms: readonly Term[]): SearchQuery {
  return { terms, words: terms.flatMap(([written = []]) => written), references: [] };
}
