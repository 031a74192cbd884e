import type { Food } from "./food.ts";
import { isNear } from "./spelling.ts";
import type { Spellings } from "./spelling.ts";
import { tokenize, wordsOf } from "./tokens.ts";

/** A food that a phrase may mean. */
export interface FoodMatch {
  readonly food: Food;
  /** 0 to 1: how much of the phrase and of the food's name agree; 1 is a name of the food. */
  readonly score: number;
  /** Words of the phrase that no name of the food has. */
  readonly unmatched: readonly string[];
}

interface Name {
  food: Food;
  words: ReadonlySet<string>;
  head: string;
}

/** Words that names do without: they are dropped on both sides. */
const EMPTY_WORDS: ReadonlySet<string> = new Set("of a an the some my from style type".split(" "));

/** Words that say little about the figures per 100 g. */
const DESCRIPTIONS: ReadonlySet<string> = new Set(
  (
    "fresh organic homemade home made plain natural raw cooked boiled grilled baked roasted roast " +
    "steamed fried sauteed pan deep hot cold warm chilled frozen sliced chopped diced peeled ripe lean " +
    "boneless skinless salted unsalted unsweetened free range leftover crispy toasted thick thin whole " +
    "real pure good delicious tasty nice quick big little small medium large drained minced mashed " +
    "shredded grated crushed melted low light classic traditional original regular mixed assorted " +
    "vegan vegetarian italian french american seasoned bbq smoked canned dry dried single double " +
    "extra poached skim part reduced full fat creamy spicy sweet black white brown red green yellow dark mini side"
  ).split(" "),
);
/** Words that name no food in particular. */
const VAGUE_WORDS: ReadonlySet<string> = new Set(
  "food snack meal dinner lunch breakfast supper brunch dessert treat dish drink stuff thing something anything leftover takeaway".split(
    " ",
  ),
);
const DESCRIPTION_WEIGHT = 0.2;
/** A word that no food has, such as a brand, against the rarest of the table's words. */
const UNKNOWN_WEIGHT = 0.5;
/** Least share of the phrase that a name must answer to. */
const COVERAGE_MIN = 0.5;
const SCORE_MIN = 0.55;
/** Shortest and longest word that is corrected, and most words of a phrase that are looked up. */
const CORRECTED_MIN = 5;
const WORD_MAX = 24;
const WORDS_MAX = 16;

/** The foods by their names, in memory. */
export class FoodIndex {
  readonly #byPhrase = new Map<string, Food>();
  /** By the words of the name in alphabetical order: "pizza margherita". */
  readonly #bySortedPhrase = new Map<string, Food>();
  readonly #byWord = new Map<string, Name[]>();
  readonly #names: Name[] = [];

  constructor(foods: readonly Food[], spellings: Spellings) {
    for (const food of foods) {
      for (const text of [food.name, ...food.aliases]) {
        this.#add(food, withoutEmpty(wordsOf(tokenize(text, spellings))));
      }
    }
  }

  #add(food: Food, words: readonly string[]): void {
    const phrase = words.join(" ");
    if (phrase === "" || this.#byPhrase.has(phrase)) return;
    this.#byPhrase.set(phrase, food);
    const sorted = words.toSorted().join(" ");
    if (!this.#bySortedPhrase.has(sorted)) this.#bySortedPhrase.set(sorted, food);
    const name = { food, words: new Set(words), head: words.at(-1) ?? "" };
    this.#names.push(name);
    for (const word of name.words) {
      const names = this.#byWord.get(word);
      if (names) names.push(name);
      else this.#byWord.set(word, [name]);
    }
  }

  /** The food that has this name, or undefined. */
  findByName(phrase: string): Food | undefined {
    return this.#byPhrase.get(withoutEmpty(phrase.split(" ")).join(" "));
  }

  /**
   * The food that the words most likely mean, or undefined: one that has them as a name, with or
   * without words that only describe; else the one whose name has the head of the phrase, its last
   * telling word, and answers to most of the rest.
   */
  match(phrase: readonly string[]): FoodMatch | undefined {
    const words = withoutEmpty(phrase).slice(0, WORDS_MAX);
    const exact = this.findByName(words.join(" "));
    if (exact) return { food: exact, score: 1, unmatched: [] };
    // "And" parts what a dish is made of: "turkey and avocado sandwich".
    const parts = words.filter((word) => word !== "and");
    const corrected = parts.map((word) => this.#correct(word));
    const edits = corrected.filter((word, at) => word !== parts[at]).length;
    const found = this.#matchDescribed(corrected) ?? this.#rank(corrected, 1, true)[0];
    return found && { ...found, score: found.score * 0.93 ** edits };
  }

  /** Foods by how well a name of theirs answers to the words, best first. */
  search(phrase: readonly string[], limit: number): FoodMatch[] {
    const words = withoutEmpty(phrase)
      .slice(0, WORDS_MAX)
      .map((word) => this.#correct(word));
    return this.#rank(words, limit, false);
  }

  #matchDescribed(words: readonly string[]): FoodMatch | undefined {
    const telling = words.filter((word) => !DESCRIPTIONS.has(word));
    const unmatched = words.filter((word) => DESCRIPTIONS.has(word));
    const food = this.#bySortedPhrase.get(words.toSorted().join(" "));
    if (food) return { food, score: 0.97, unmatched: [] };
    // One description may be part of the name: "grilled brown rice" is brown rice.
    for (const kept of unmatched) {
      const without = words.filter((word) => word === kept || telling.includes(word));
      const named = this.findByName(without.join(" "));
      if (named)
        return { food: named, score: 0.95, unmatched: unmatched.filter((w) => w !== kept) };
    }
    const plain = this.findByName(telling.join(" "));
    return plain && { food: plain, score: 0.92, unmatched };
  }

  #rank(words: readonly string[], limit: number, needsHead: boolean): FoodMatch[] {
    const head = this.#headOf(words);
    if (head === undefined && needsHead) return [];
    const total = sum([...new Set(words)].map((word) => this.#weight(word)));
    const best = new Map<Food, FoodMatch>();
    for (const name of this.#candidates(words)) {
      if (needsHead && head !== undefined && !name.words.has(head)) continue;
      const shared = [...name.words].filter((word) => words.includes(word));
      const sharedWeight = sum(shared.map((word) => this.#weight(word)));
      const coverage = sharedWeight / total;
      const completeness = sharedWeight / sum([...name.words].map((word) => this.#weight(word)));
      const headBonus = head !== undefined && name.head === head ? 0.05 : 0;
      const score = Math.min(0.88, 0.6 * coverage + 0.35 * completeness + headBonus);
      if (needsHead && (coverage < COVERAGE_MIN || score < SCORE_MIN)) continue;
      if (score <= (best.get(name.food)?.score ?? 0)) continue;
      const unmatched = words.filter((word) => !name.words.has(word));
      best.set(name.food, { food: name.food, score, unmatched });
    }
    return [...best.values()].sort((a, b) => b.score - a.score).slice(0, limit);
  }

  #candidates(words: readonly string[]): Set<Name> {
    return new Set(words.flatMap((word) => this.#byWord.get(word) ?? []));
  }

  /**
   * The last word that is in the table and tells more than a description. Undefined when an unknown
   * word follows it: "apple betty" is no apple.
   */
  #headOf(words: readonly string[]): string | undefined {
    const telling = words.findLast((word) => !DESCRIPTIONS.has(word)) ?? words.at(-1);
    if (telling === undefined || VAGUE_WORDS.has(telling)) return undefined;
    return this.#byWord.has(telling) ? telling : undefined;
  }

  /** Rare words weigh more; words that only describe weigh little. */
  #weight(word: string): number {
    const rarest = Math.log(1 + this.#names.length);
    const names = this.#byWord.get(word)?.length;
    if (DESCRIPTIONS.has(word)) return DESCRIPTION_WEIGHT * rarest;
    if (names === undefined) return UNKNOWN_WEIGHT * rarest;
    // Compressed, so that a common head such as "soup" still counts beside a rare word.
    return Math.sqrt(Math.log(1 + this.#names.length / names) * rarest);
  }

  /** The word of the table that a misspelt word most likely is; the word itself when none is near. */
  #correct(word: string): string {
    if (word.length < CORRECTED_MIN || word.length > WORD_MAX || this.#byWord.has(word))
      return word;
    if (DESCRIPTIONS.has(word)) return word;
    const editsMax = word.length < 8 ? 1 : 2;
    for (const known of this.#byWord.keys()) {
      // A letter less is the one mistake that short words are corrected for: "mochi" is no mocha.
      const isShort = word.length < 6 && known.length <= word.length;
      if (known[0] !== word[0] || isShort) continue;
      if (isNear(word, known, editsMax)) return known;
    }
    return word;
  }
}

/** Words without those that names do without. */
export function withoutEmpty(words: readonly string[]): string[] {
  return words.filter((word) => !EMPTY_WORDS.has(word));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
