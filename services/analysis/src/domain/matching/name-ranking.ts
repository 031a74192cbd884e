import { LISTS } from "../text/words.ts";
import type { Lexicon } from "../text/lexicon.ts";
import { isBrand, isDescription, isSilent } from "../text/name-words.ts";
import type { Food } from "../foods/food.ts";
import { matchNames } from "./name-match.ts";
import type { FoodMatch, FoodName, NameMatch } from "./name-match.ts";
import { WordIndex } from "./word-index.ts";
import { Recent, Work } from "./work.ts";

const CORRECTED_KEPT = 2_000;

/** Ranks the curated names by the words they share with a phrase. */
export class NameRanking {
  /** Counts names compared, and words compared letter by letter. */
  readonly work = new Work();
  readonly #names = new WordIndex<FoodName>(this.work);
  readonly #corrected = new Recent<string>(CORRECTED_KEPT, this.work);
  readonly #lexicon: Lexicon;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  add(food: Food, head: readonly string[]): void {
    const words = new Set(head);
    this.#names.add({ food, words, head }, words);
  }

  knows(word: string): boolean {
    return this.#names.knows(word);
  }

  /** The food whose name contains the head of the phrase and most of the rest. */
  best(words: readonly string[]): FoodMatch | undefined {
    const head = this.#headOf(words);
    if (head === undefined) return undefined;
    // "Shut" alone is no "buss up shut".
    const wordsMax = words.length === 1 && this.#lexicon.has(head) ? 2 : Infinity;
    return this.#matches(words, head).find(({ name, isAnswer }) => {
      if (name.words.size > wordsMax) return false;
      // A "birthday cake" is not a birthday.
      const isOne = name.words.has(head) && words.includes(name.head.at(-1) ?? "");
      return isAnswer && isOne;
    });
  }

  rank(words: readonly string[], limit: number): FoodMatch[] {
    const matches = this.#matches(words, this.#headOf(words)).toReversed();
    const best = new Map(matches.map((match) => [match.food, match]));
    return [...best.values()].sort((a, b) => b.score - a.score).slice(0, limit);
  }

  /**
   * The word of a name that a misspelt word most likely means; the word itself if none is close.
   */
  correct(word: string): string {
    return this.#corrected.get(word, () => {
      const isKnown = this.knows(word) || this.#lexicon.has(word);
      if (isKnown || isDescription(word) || isBrand(word) || this.work.isSpent) return word;
      return this.#names.nearest(word) ?? word;
    });
  }

  #matches(words: readonly string[], head: string | undefined): NameMatch[] {
    const said = head === undefined ? words : [...words.filter((word) => word !== head), head];
    const names = new Set(words.flatMap((word) => this.#names.having(word)));
    this.work.add(names.size);
    return matchNames(said, [...names]);
  }

  /**
   * The last word that does more than describe. Undefined if no name has it: "apple betty" is not
   * an apple.
   */
  #headOf(words: readonly string[]): string | undefined {
    const telling = words.findLast((word) => !isDescription(word)) ?? words.at(-1);
    if (telling === undefined || LISTS.vagueWords.has(telling) || isSilent(telling))
      return undefined;
    return this.knows(telling) ? telling : undefined;
  }
}
