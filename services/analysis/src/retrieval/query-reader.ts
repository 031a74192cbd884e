import type { Wanted } from "../domain/matching/food-ranking.ts";
import type { FoodIndex, FoodMatch } from "../domain/matching/food-index.ts";
import { readSearchText, Synonyms } from "../domain/matching/search-text.ts";
import type { Term } from "../domain/matching/search-text.ts";
import { tokenize, wordsOf } from "../domain/text/tokens.ts";

/** A name of a curated food, in the order of its words or in another. */
export const NAMED_SCORE = 0.97;

/** Reads search texts, with what the curated table says about their words. */
export class QueryReader {
  readonly #synonyms: Synonyms;
  readonly #index: FoodIndex;

  constructor(index: FoodIndex) {
    this.#synonyms = new Synonyms(index.vocabulary.spellings);
    this.#index = index;
  }

  /** What to look for, without the amount and what it comes in. */
  read(text: string): Wanted {
    const read = readSearchText(text, this.#synonyms);
    const references = [text, read.words.join(" ")].flatMap((said) => this.#referencesOf(said));
    return { ...read, references };
  }

  /** Other words to look for, such as corrected ones. */
  ofWords(words: readonly string[]): Wanted {
    const references = this.#referencesOf(words.join(" "));
    return { words, terms: this.#synonyms.termsOf(words), references };
  }

  /** Whether a word is one of everyday food, which names no brand by itself. */
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

  /** Foods that people call so. */
  #referencesOf(text: string): string[] {
    const named = this.#index.match(this.#wordsIn(text));
    return named && named.score >= NAMED_SCORE ? [named.food.reference] : [];
  }

  #wordsIn(text: string): string[] {
    return wordsOf(tokenize(text, this.#index.vocabulary.spellings));
  }
}

/** What is looked for when some of its terms are left out. */
export function ofTerms(terms: readonly Term[]): Wanted {
  return { terms, words: terms.flatMap(([written = []]) => written), references: [] };
}
