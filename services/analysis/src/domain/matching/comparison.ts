import type { Food } from "../foods/food.ts";
import { isDescription } from "../text/vocabulary.ts";
import { nearestWord } from "../text/words.ts";

/** Counts the steps of readings and stops expensive ones, which bounds the work of any text. */
export class Work {
  #steps = 0;
  #until = Infinity;
  readonly #caches: Map<string, unknown>[] = [];

  /** Steps so far: look-ups, compared names, and several for each word compared by letters. */
  get steps(): number {
    return this.#steps;
  }

  get isRunning(): boolean {
    return this.#until !== Infinity;
  }

  /** Whether the budget is used up; only exact look-ups may follow. */
  get isSpent(): boolean {
    return this.#steps >= this.#until;
  }

  add(steps: number): void {
    this.#steps += steps;
  }

  /** Runs with a budget of `stepsMax` steps, or with the remaining budget of an enclosing run. */
  within<Result>(stepsMax: number, run: () => Result): Result {
    if (this.isRunning) return run();
    this.#until = this.#steps + stepsMax;
    try {
      return run();
    } finally {
      this.#until = Infinity;
      for (const cache of this.#caches) cache.clear();
    }
  }

  /**
   * A cache that each run starts empty, so that the cost of a line never depends on earlier lines.
   * Outside runs nothing is cached, because nothing would bound it.
   */
  cache<Value>() {
    const values = new Map<string, Value>();
    this.#caches.push(values);
    return (key: string, make: () => Value): Value => {
      if (!this.isRunning) return make();
      if (!values.has(key)) values.set(key, make());
      return values.get(key) as Value;
    };
  }
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
  readonly words: readonly string[];
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
  const phrase = new Set(said);
  return names.map((name) => matchName(phrase, said, name)).sort((a, b) => b.score - a.score);
}

function matchName(phrase: ReadonlySet<string>, said: readonly string[], name: FoodName) {
  const { food, words, head } = name;
  const isSaid = (word: string) => phrase.has(word);
  const coverage = shareOf(phrase, (word) => words.includes(word));
  const score =
    WORTH.coverage * coverage +
    WORTH.head * shareOf(head, isSaid) +
    WORTH.name * shareOf(words, isSaid) +
    (head.at(-1) === said.at(-1) ? WORTH.sameHead : 0);
  const isAnswer = coverage >= COVERAGE_MIN && score >= SCORE_MIN;
  const unmatched = said.filter((word) => !words.includes(word));
  return { food, name, score: Math.min(SCORE_MAX, score), unmatched, isAnswer };
}

/** Weighted share of the words that are among `others`, 0 to 1. */
function shareOf(words: Iterable<string>, isShared: (word: string) => boolean): number {
  let [shared, all] = [0, 0];
  for (const word of words) {
    const weight = isDescription(word) ? DESCRIPTION_WEIGHT : 1;
    all += weight;
    if (isShared(word)) shared += weight;
  }
  return shared / all;
}

/** Steps of work of a comparison letter by letter, relative to one of words. */
const LETTERS_STEPS = 2;
/** Words of 5 to 24 letters are corrected, in at most two letters. */
const CORRECTED_MIN = 5;
const CORRECTED_MAX = 24;
const EDITS_MAX = 2;

/** In-memory index of entries by the words of their names. */
export class WordIndex<Entry> {
  readonly #byWord = new Map<string, Entry[]>();
  readonly #byLetter = new Map<string, string[]>();
  readonly #work: Work;

  /** `work` counts words compared letter by letter. */
  constructor(work: Work) {
    this.#work = work;
  }

  add(entry: Entry, words: Iterable<string>): void {
    for (const word of words) {
      if (!push(this.#byWord, word, entry)) push(this.#byLetter, word.charAt(0), word);
    }
  }

  having(word: string): readonly Entry[] {
    return this.#byWord.get(word) ?? [];
  }

  knows(word: string): boolean {
    return this.#byWord.has(word);
  }

  /** The word of a name that an unknown word most likely is; undefined if none is close. */
  nearest(word: string, lettersMin = CORRECTED_MIN): string | undefined {
    if (word.length < lettersMin || word.length > CORRECTED_MAX) return undefined;
    const isAlike = (like: string) => Math.abs(like.length - word.length) <= EDITS_MAX;
    const alike = (this.#byLetter.get(word.charAt(0)) ?? []).filter(isAlike);
    this.#work.add(LETTERS_STEPS * alike.length);
    const counted = alike.map((like) => ({ like, foods: this.having(like).length }));
    return nearestWord(word, counted, lettersMin + 1);
  }
}

/** Adds a value to the key's list; returns whether the key was known. */
function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): boolean {
  const known = lists.get(key);
  if (known) known.push(value);
  else lists.set(key, [value]);
  return known !== undefined;
}
