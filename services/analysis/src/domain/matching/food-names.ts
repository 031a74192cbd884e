import type { Food } from "../foods/food.ts";
import { isDescription, withoutEmpty } from "../text/name-words.ts";
import { percentOf } from "../text/percentages.ts";
import type { FoodMatch } from "./name-match.ts";
import type { Work } from "./work.ts";

const NAME_CHARACTERS_MAX = 120;
/** Maximum distance from the requested fat content, in percentage points. */
const PERCENT_DISTANCE_MAX = 10;

/** A food whose name states a fat content. */
interface FatShare {
  readonly percent: number;
  readonly food: Food;
}

/** Foods by exact name, also with the words in another order. */
export class FoodNames {
  readonly #byPhrase = new Map<string, Food>();
  /** By the words of the name, sorted: "pizza margherita". */
  readonly #bySortedPhrase = new Map<string, Food>();
  /** Names with a fat content, by their other words, sorted. */
  readonly #byShare = new Map<string, FatShare[]>();
  readonly #work: Work;

  /** `work` counts look-ups. */
  constructor(work: Work) {
    this.#work = work;
  }

  /** Adds a name; returns false for an existing one, which keeps its food. */
  add(food: Food, words: readonly string[]): boolean {
    const phrase = words.join(" ");
    if (phrase === "" || this.#byPhrase.has(phrase)) return false;
    this.#byPhrase.set(phrase, food);
    const sorted = sortedPhrase(words);
    if (!this.#bySortedPhrase.has(sorted)) this.#bySortedPhrase.set(sorted, food);
    const percent = words.map(percentOf).find((value) => value !== undefined);
    if (percent === undefined) return true;
    const others = sortedPhrase(words.filter((word) => percentOf(word) === undefined));
    this.#byShare.set(others, [...(this.#byShare.get(others) ?? []), { percent, food }]);
    return true;
  }

  find(phrase: string): Food | undefined {
    this.#work.add(1);
    if (phrase.length > NAME_CHARACTERS_MAX) return undefined;
    return this.#byPhrase.get(withoutEmpty(phrase.split(" ")).join(" "));
  }

  findByWords(words: readonly string[]): Food | undefined {
    this.#work.add(1);
    return this.#bySortedPhrase.get(sortedPhrase(withoutEmpty(words)));
  }

  /** The food of that name whose fat content is nearest to `percent`, if one is close. */
  nearestShare(words: readonly string[], percent: number): FoodMatch | undefined {
    // "80% lean ground beef patty" is that beef.
    const isTelling = (word: string) => !isDescription(word) && word !== "patty";
    const telling = words.filter((word) => isTelling(word) || word === "lean");
    const shares =
      this.#byShare.get(sortedPhrase(words)) ?? this.#byShare.get(sortedPhrase(telling)) ?? [];
    const distance = (share: FatShare) => Math.abs(share.percent - percent);
    const nearest = shares.toSorted((a, b) => distance(a) - distance(b))[0];
    if (!nearest || distance(nearest) > PERCENT_DISTANCE_MAX) return undefined;
    return { food: nearest.food, score: 0.96 - distance(nearest) / 100, unmatched: [] };
  }
}

function sortedPhrase(words: readonly string[]): string {
  return words.toSorted().join(" ");
}
