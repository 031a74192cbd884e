import SYNONYMS from "../../../foods/words/synonyms.json" with { type: "json" };
import { foldWords } from "../text/food-words.ts";
import { readRuns, singular, SPELLINGS, LISTS } from "../text/words.ts";
import { tokenize, wordsOf } from "../text/tokens.ts";
import type { FoodIndex } from "./food-index.ts";
import type { SearchQuery, Term } from "./food-ranking.ts";
import type { FoodMatch } from "./name-match.ts";

const WORDS_MAX = 12;
const COUNT = String.raw`(?:(?:\d+|an?|some|one|two|three|four|five|six|seven|eight|nine|ten|half|couple) (?!percent))`;
const CONTAINER = `(?:(?:${[...LISTS.amountsInSearches].join("|")}) )`;
/** "2 cups of coffee" and "cup of coffee" search for coffee; "glass noodles" contains no amount. */
const AMOUNT = new RegExp(`^(?:${COUNT}+${CONTAINER}*(?:of )?|${CONTAINER}+of |of )`, "u");
const SYNONYM_WORDS_MAX = 3;
/** Minimum score of a match whose words are a name of the food, in any order. */
export const NAMED_SCORE = 0.97;

/** Turns search texts into queries, with synonyms and the curated foods that they name. */
export class QueryReader {
  readonly #index: FoodIndex;
  /** Other phrases for the same food, by the key of each phrase. */
  readonly #synonyms = new Map<string, Set<string>>();

  constructor(index: FoodIndex) {
    this.#index = index;
    for (const [from, to] of SPELLINGS) this.#addSynonyms([from, to.join(" ")]);
    for (const phrases of SYNONYMS) this.#addSynonyms(phrases);
  }

  #addSynonyms(phrases: readonly string[]): void {
    const folded = phrases.map(foldWords);
    for (const phrase of folded) {
      const key = keyOf(phrase.split(" "));
      const known = this.#synonyms.get(key) ?? new Set<string>();
      for (const other of folded) if (other !== phrase) known.add(other);
      this.#synonyms.set(key, known);
    }
  }

  /** What to search for, without amounts and containers. */
  read(text: string): SearchQuery {
    return this.ofWords(searchedWords(text));
  }

  /** What to search for if the words are known, such as corrected ones. */
  ofWords(words: readonly string[]): SearchQuery {
    const named = this.#index.match(this.#wordsIn(words.join(" ")));
    const references = named && named.score >= NAMED_SCORE ? [named.food.reference] : [];
    return { words, terms: this.#termsOf(words), references };
  }

  /** Splits the words into terms, longest known phrases first. */
  #termsOf(words: readonly string[]): Term[] {
    return readRuns(words, SYNONYM_WORDS_MAX, (phrase) => {
      const others = this.#synonyms.get(keyOf(phrase));
      if (!others && phrase.length > 1) return undefined;
      return [[phrase, ...[...(others ?? [])].map((other) => other.split(" "))]];
    });
  }

  /** Whether all words occur in names of everyday foods, so that alone they name no brand. */
  isEveryday(text: string): boolean {
    return this.#wordsIn(text).every((word) => this.#index.knows(word));
  }

  /** The curated foods that a text may mean, best first. */
  curated(text: string, limit: number): FoodMatch[] {
    const words = this.#wordsIn(text);
    const named = this.#index.match(words);
    const others = this.#index.search(words, limit).filter(({ food }) => food !== named?.food);
    return named ? [named, ...others] : others;
  }

  #wordsIn(text: string): string[] {
    return wordsOf(tokenize(text));
  }
}

/** Singular and plural share a key. */
function keyOf(phrase: readonly string[]): string {
  return phrase.map(singular).join(" ");
}

/** The words that a person types to find a food, without amounts and containers. */
function searchedWords(text: string): readonly string[] {
  const said = foldWords(text.replace(/(\d)\s*%/gu, "$1 percent "));
  const words = said.replace(AMOUNT, "").split(" ");
  return words.filter((word) => word !== "" && !LISTS.emptyWords.has(word)).slice(0, WORDS_MAX);
}
