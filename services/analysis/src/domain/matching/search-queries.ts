import SYNONYMS from "../../../foods/words/synonyms.json" with { type: "json" };
import usda from "../../../foods/words/usda.json" with { type: "json" };
import { foldWords, headWords, stem, stemsOf } from "../text/food-words.ts";
import { readRuns, singular, SPELLINGS, LISTS } from "../text/words.ts";
import { compilePattern } from "../text/patterns.ts";
import { tokenize, wordsOf } from "../text/tokens.ts";
import type { FoodIndex } from "./food-index.ts";
import type { FoodMatch } from "./comparison.ts";
import type { ImportedFood } from "../foods/imported-food.ts";

/** A word or fixed phrase to search for, with its synonyms. */
export type Term = readonly (readonly string[])[];

/** Which terms of a search the foods must match. */
export type WhichTerms = "all" | "any";

/** What to search for. */
export interface SearchQuery {
  readonly words: readonly string[];
  readonly terms: readonly Term[];
  /** References of foods commonly called by this name. */
  readonly references: readonly string[];
}

const WORDS_MAX = 12;
const COUNT = String.raw`(?:(?:\d+|an?|some|one|two|three|four|five|six|seven|eight|nine|ten|half|couple) (?!percent))`;
const CONTAINER = `(?:(?:${[...LISTS.amountsInSearches].join("|")}) )`;
/** "2 cups of coffee" and "cup of coffee" search for coffee; "glass noodles" contains no amount. */
const AMOUNT = compilePattern(`^(?:${COUNT}+${CONTAINER}*(?:of )?|${CONTAINER}+of |of )`, "u");
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

/** A food found by a search; scores are comparable within one search. */
export interface Ranked<Found = ImportedFood> {
  readonly food: Found;
  readonly score: number;
}

/** Maximum words of a name that lower its score. */
const NAME_WORDS_MAX = 12;
/** The default forms of foods: raw, cooked, not further specified. */
const PLAIN_WORDS: ReadonlySet<string> = new Set(usda.plain.map(stem));
/** Forms other than the default; they lower the score of a name unless the search asks for them. */
const UNWANTED_WORDS: ReadonlySet<string> = new Set(usda.unwanted.map(stem));

/** The words of a food's name. */
interface NameWords {
  /** The words between blanks. */
  readonly words: string;
  readonly stems: readonly string[];
  /** Stems of the head of the name: "almonds" of "Nuts, almonds, dry roasted". */
  readonly head: readonly string[];
}

const known = new WeakMap<ImportedFood, NameWords>();

/** The words of a food's name, read once for each food. */
export function wordsOfFood(food: ImportedFood): NameWords {
  const read = known.get(food);
  if (read) return read;
  const words = foldWords(food.name);
  const head = stemsOf(headWords(food.name));
  const own = { words: ` ${words} `, stems: stemsOf(words), head };
  known.set(food, own);
  return own;
}

/** Ranks the foods found for a search, best first; all searches use this order. */
export function rankFoods(
  foods: readonly ImportedFood[],
  { words: said, terms, references }: SearchQuery,
  limit: number,
): Ranked[] {
  const asked = new Set(terms.flat(2).map(stem));
  const phrases = terms.map((term) => term.map((phrase) => stemsOf(phrase.join(" "))));
  const written = said.map(singular).map((word) => [` ${word} `, ` ${word}s `]);
  const scoreOf = (food: ImportedFood) => {
    const { words, stems, head } = wordsOfFood(food);
    const has = (stem: string) => stems.includes(stem);
    // Weights tuned on searches of an app's users: the words before the first comma of a name count
    // most, and plain foods come before dried, canned or reduced ones.
    return (
      0.5 * shareOf(phrases, (term) => term.some((phrase) => phrase.every(has))) +
      0.9 * shareOf(written, (forms) => forms.some((form) => words.includes(form))) +
      0.9 * shareOf(stems, (stem) => asked.has(stem)) +
      (head.every((stem) => asked.has(stem)) ? 0.7 : 0) +
      (references.includes(food.reference) ? 0.4 : 0) +
      (stems.some((stem) => PLAIN_WORDS.has(stem)) ? 0.2 : 0) -
      (stems.some((stem) => UNWANTED_WORDS.has(stem) && !asked.has(stem)) ? 0.4 : 0) -
      0.03 * Math.min(NAME_WORDS_MAX, stems.length)
    );
  };
  return foods
    .map((food) => ({ food, score: scoreOf(food) }))
    .sort((one, other) => other.score - one.score || order(one.food, other.food))
    .slice(0, limit);
}

function shareOf<Item>(items: readonly Item[], isMet: (item: Item) => boolean): number {
  return items.filter(isMet).length / (items.length || 1);
}

function order(one: ImportedFood, other: ImportedFood): number {
  return one.reference < other.reference ? -1 : 1;
}
