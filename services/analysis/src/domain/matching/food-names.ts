import type { Food } from "../foods/food.ts";
import { isBrand, isDescription, joinBrands, withoutEmpty } from "../text/vocabulary.ts";
import type { Vocabulary } from "../text/vocabulary.ts";
import { percentOf, readNumberWords } from "../text/quantities.ts";
import { compilePattern } from "../text/patterns.ts";
import { tokenize, wordsOf } from "../text/tokens.ts";
import { LISTS } from "../text/words.ts";
import { type FoodMatch, type FoodName, WordIndex, Work } from "./comparison.ts";

const NAME_CHARACTERS_MAX = 120;
/** Finds words that names ignore, and "n", which stands for "and". */
const HAS_IGNORED_WORD = compilePattern(
  `(?:^| )(?:${[...LISTS.ignoredInNames, "n"].join("|")})(?: |$)`,
  "u",
);
/** Steps of work for trying the misspellings of the words. */
const SPELLING_STEPS = 80;
/** Minimum letters of a word that may be misspelt in a name nobody knows. */
const MISSPELT_MIN = 2;
/** Maximum distance from the requested fat content, in percentage points. */
const PERCENT_DISTANCE_MAX = 10;

/** Foods by name, also with the words in another order, and the words of the names. */
export class FoodNames {
  readonly vocabulary: Vocabulary;
  /** The number of look-ups, of names compared, and of words compared letter by letter. */
  readonly work = new Work();
  readonly #byPhrase = new Map<string, { food: Food; written: string }>();
  /** By the words of the name, sorted: "pizza margherita". */
  readonly #bySortedPhrase = new Map<string, Food>();
  /** Names with a fat content, by their other words, sorted. */
  readonly #byShare = new Map<string, { percent: number; food: Food }[]>();
  readonly #byWord = new WordIndex<FoodName>(this.work);
  readonly #described = this.work.cache<boolean>();
  readonly #corrected = this.work.cache<string>();

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
    const words = [...new Set(head)];
    this.#byWord.add({ food, words: words.length === head.length ? head : words, head }, words);
    const percent = head.map(percentOf).find((value) => value !== undefined);
    if (percent === undefined) return;
    const others = sortedPhrase(head.filter((word) => percentOf(word) === undefined));
    this.#byShare.set(others, [...(this.#byShare.get(others) ?? []), { percent, food }]);
  }

  /** The food with this name, or undefined. */
  findByName(phrase: string): Food | undefined {
    this.work.add(1);
    if (phrase.length > NAME_CHARACTERS_MAX) return undefined;
    return this.#named(phrase)?.food;
  }

  /** The name as the table writes it, "chickpeas" for `chickpea`; the usual one if it is not the food's. */
  nameAsWritten(phrase: string, food: Food): string {
    const known = this.#named(phrase);
    return known?.food === food ? known.written : food.name;
  }

  #named(phrase: string) {
    const known = this.#byPhrase.get(phrase);
    // Most phrases have no such words, and are no names.
    if (known || !HAS_IGNORED_WORD.test(phrase)) return known;
    const name = withoutEmpty(phrase.split(" ")).join(" ");
    // "Fish 'n' chips", unless a product is called so.
    return this.#byPhrase.get(name) ?? this.#byPhrase.get(name.replaceAll(" n ", " and "));
  }

  /** The food whose name has these words in any order, or undefined. */
  findByWords(words: readonly string[]): Food | undefined {
    this.work.add(1);
    return this.#bySortedPhrase.get(sortedPhrase(withoutEmpty(words)));
  }

  /** The food of that name whose fat content is nearest to `percent`, if one is close. */
  nearestShare(words: readonly string[], percent: number): FoodMatch | undefined {
    // "80% lean ground beef patty" is that beef.
    const isTelling = (word: string) =>
      word === "lean" ||
      !(isDescription(word) || word === "patty" || percentOf(word) !== undefined);
    const telling = words.filter(isTelling);
    const shares = this.#byShare.get(sortedPhrase(telling)) ?? [];
    const distance = (share: { percent: number }) => Math.abs(share.percent - percent);
    const nearest = shares.toSorted((a, b) => distance(a) - distance(b))[0];
    if (!nearest || distance(nearest) > PERCENT_DISTANCE_MAX) return undefined;
    return { food: nearest.food, score: 0.96 - distance(nearest) / 100, unmatched: [] };
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
    const name: string[] = [];
    for (const word of words) {
      const isRight = this.knows(word) || isDescription(word);
      if (!isRight && this.work.isSpent) return undefined;
      const meant = isRight ? word : this.#byWord.nearest(word, MISSPELT_MIN);
      if (meant === undefined) return undefined;
      name.push(meant);
    }
    return this.findByName(name.join(" ")) && name.join(" ");
  }
}

function sortedPhrase(words: readonly string[]): string {
  return words.toSorted().join(" ");
}
