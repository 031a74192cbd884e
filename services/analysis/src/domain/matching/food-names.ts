import type { Food } from "../foods/food.ts";
import type { Vocabulary } from "../text/lexicon.ts";
import { isBrand, isDescription, joinBrands, withoutEmpty } from "../text/name-words.ts";
import { readNumberWords } from "../text/number-words.ts";
import { tokenize, wordsOf } from "../text/tokens.ts";
import { WordIndex, Work } from "./word-index.ts";

/** Steps of work for trying the misspellings of the words. */
const SPELLING_STEPS = 80;
/** Minimum letters of a word that may be misspelt in a name nobody knows. */
const MISSPELT_MIN = 2;

/** Foods by name, also with the words in another order, and the words of the names. */
export class FoodNames {
  readonly vocabulary: Vocabulary;
  /** The number of look-ups, of names compared, and of words compared letter by letter. */
  readonly work = new Work();
  readonly #byPhrase = new Map<string, { food: Food; written: string }>();
  /** By the words of the name, sorted: "pizza margherita". */
  readonly #bySortedPhrase = new Map<string, Food>();
  readonly #byWord = new WordIndex<FoodName>(this.work);
  readonly #described = this.work.cached<boolean>();
  readonly #corrected = this.work.cached<string>();

  constructor(foods: readonly Food[], vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
    for (const food of foods) {
      for (const text of [food.name, ...food.aliases]) {
        const tokens = joinBrands(tokenize(text));
        // Lines are matched after "four" has become 4.
        for (const said of [tokens, readNumberWords(tokens)]) this.#add(food, wordsOf(said), text);
      }
    }
  }

  /** Adds a name; an existing one keeps its food. */
  #add(food: Food, name: readonly string[], written: string): void {
    const head = withoutEmpty(name);
    const phrase = head.join(" ");
    if (phrase === "" || this.#byPhrase.has(phrase)) return;
    this.#byPhrase.set(phrase, { food, written });
    const sorted = sortedPhrase(head);
    if (!this.#bySortedPhrase.has(sorted)) this.#bySortedPhrase.set(sorted, food);
    const words = new Set(head);
    this.#byWord.add({ food, words, head }, words);
  }

  /** The food with this name, or undefined. */
  findByName(phrase: string): Food | undefined {
    this.work.add(1);
    return this.#named(phrase)?.food;
  }

  /** The name as the table writes it, "chickpeas" for `chickpea`; the usual one if it is not the food's. */
  nameAsWritten(phrase: string, food: Food): string {
    const known = this.#named(phrase);
    return known?.food === food ? known.written : food.name;
  }

  #named(phrase: string) {
    return this.#byPhrase.get(withoutEmpty(phrase.split(" ")).join(" "));
  }

  /** The food whose name has these words in any order, or undefined. */
  findByWords(words: readonly string[]): Food | undefined {
    this.work.add(1);
    return this.#bySortedPhrase.get(sortedPhrase(withoutEmpty(words)));
  }

  /** The names that have any of the words, or of the first words if the budget does not suffice. */
  namesWith(words: readonly string[]): FoodName[] {
    const names = new Set<FoodName>();
    for (const word of words) {
      if (this.work.isSpent) break;
      const known = names.size;
      for (const name of this.#byWord.having(word)) names.add(name);
      this.work.add(names.size - known);
    }
    return [...names];
  }

  /** Whether any name contains the word. */
  knows(word: string): boolean {
    return this.#byWord.knows(word);
  }

  /** Whether the word can describe food; costs some work for words of no known language. */
  describesFood(word: string): boolean {
    const { lexicon } = this.vocabulary;
    if (lexicon.has(word)) return lexicon.describes(word);
    return this.#described(word, () => {
      this.work.add(SPELLING_STEPS);
      return !this.work.isSpent && lexicon.describes(word);
    });
  }

  /** The words, each unknown one replaced by the most likely word of a name, if one is close. */
  correct(words: readonly string[]): string[] {
    return words.map((word) =>
      this.#corrected(word, () => {
        const isKnown = this.knows(word) || this.vocabulary.lexicon.has(word);
        if (isKnown || isDescription(word) || isBrand(word) || this.work.isSpent) return word;
        return this.#byWord.nearest(word) ?? word;
      }),
    );
  }

  /** The food's name that a misspelt one most likely means; short and English words are corrected, too. */
  suggest(words: readonly string[]): string | undefined {
    const name = words.map((word) => {
      const isRight = this.knows(word) || isDescription(word);
      return isRight ? word : (this.#byWord.nearest(word, MISSPELT_MIN) ?? word);
    });
    return this.findByName(name.join(" ")) && name.join(" ");
  }
}

function sortedPhrase(words: readonly string[]): string {
  return words.toSorted().join(" ");
}

/** Maximum score: a match by words is less certain than a name. */
const SCORE_MAX = 0.88;
/** Weights of a score's parts: of the phrase, of the head of the name, of the whole name. */
const WORTH = { coverage: 0.6, head: 0.25, name: 0.1, sameHead: 0.05 } as const;
/** Weight of a word that only describes; other words weigh 1. */
const DESCRIPTION_WEIGHT = 0.3;
/** Minimum share of the phrase that a name must cover, and minimum score. */
const COVERAGE_MIN = 0.6;
const SCORE_MIN = 0.65;

/** A candidate for the food that a phrase means. */
export interface FoodMatch {
  readonly food: Food;
  /** 0 to 1: how well the phrase and the food's name agree; 1 for an exact name. */
  readonly score: number;
  /** Words of the phrase that no name of the food contains. */
  readonly unmatched: readonly string[];
}

/** A food name to compare with a phrase. */
export interface FoodName {
  readonly food: Food;
  readonly words: ReadonlySet<string>;
  /** The words that say what the food is: in our names all, in USDA's those before the comma. */
  readonly head: readonly string[];
}

/** How well a name matches a phrase. */
export interface NameMatch extends FoodMatch {
  readonly name: FoodName;
  /** Whether the name covers enough of the phrase to be what it means. */
  readonly isAnswer: boolean;
}

/** Compares names with a phrase and returns the best first. Scores range from 0 to 0.88. */
export function matchNames(said: readonly string[], names: readonly FoodName[]): NameMatch[] {
  return names.map((name) => matchName(said, name)).sort((a, b) => b.score - a.score);
}

function matchName(said: readonly string[], name: FoodName): NameMatch {
  const { food, words, head } = name;
  const phrase = new Set(said);
  const coverage = shareOf(phrase, words);
  const score =
    WORTH.coverage * coverage +
    WORTH.head * shareOf(head, phrase) +
    WORTH.name * shareOf(words, phrase) +
    (head.at(-1) === said.at(-1) ? WORTH.sameHead : 0);
  const isAnswer = coverage >= COVERAGE_MIN && score >= SCORE_MIN;
  const unmatched = said.filter((word) => !words.has(word));
  return { food, name, score: Math.min(SCORE_MAX, score), unmatched, isAnswer };
}

/** Weighted share of the words that are among `others`, 0 to 1. */
function shareOf(words: Iterable<string>, others: ReadonlySet<string>): number {
  let [shared, all] = [0, 0];
  for (const word of words) {
    const weight = isDescription(word) ? DESCRIPTION_WEIGHT : 1;
    all += weight;
    if (others.has(word)) shared += weight;
  }
  return shared / all;
}
