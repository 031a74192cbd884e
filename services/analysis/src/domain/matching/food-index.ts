import {
  isBrand,
  descriptionChoices,
  groupsOfClass,
  isDescription,
  isTellingDescription,
  VAGUE_WORDS,
  withoutEmpty,
} from "../text/name-words.ts";
import type { Food } from "../foods/food.ts";
import { readNumberWords } from "../text/number-words.ts";
import { FoodNames } from "./food-names.ts";
import { NameRanking } from "./name-ranking.ts";
import { percentOf, readFatShares } from "../text/percentages.ts";
import type { Lexicon } from "../text/lexicon.ts";
import type { Spellings } from "../text/spelling.ts";
import { tokenize, wordsOf } from "../text/tokens.ts";
import { Recent } from "./work.ts";
import type { Work } from "./work.ts";

/** A food that a phrase may mean. */
export interface FoodMatch {
  readonly food: Food;
  /** 0 to 1: how much of the phrase and of the food's name agree; 1 is a name of the food. */
  readonly score: number;
  /** Words of the phrase that no name of the food has. */
  readonly unmatched: readonly string[];
}

/** What is known of words. */
export interface WordTables {
  readonly spellings: Spellings;
  readonly lexicon: Lexicon;
}

/** Most words of a phrase that are looked up, and phrases whose foods are kept at hand. */
const WORDS_MAX = 16;
const MATCHES_KEPT = 1_000;
/** What trying the words one letter away from another costs. */
const SPELLING_STEPS = 80;
/** What a word that says something about the figures and that no name has costs. */
const TELLING_COST = 0.1;

/** The foods by their names, in memory. */
export class FoodIndex {
  readonly #names: FoodNames;
  readonly #lexicon: Lexicon;
  readonly #ranking: NameRanking;
  readonly #described: Recent<boolean>;
  readonly #matches: Recent<{ readonly found: FoodMatch | undefined }>;

  constructor(foods: readonly Food[], { spellings, lexicon }: WordTables) {
    this.#lexicon = lexicon;
    this.#ranking = new NameRanking(lexicon);
    this.#names = new FoodNames(this.work);
    this.#described = new Recent(MATCHES_KEPT, this.work);
    this.#matches = new Recent(MATCHES_KEPT, this.work);
    for (const food of foods) {
      for (const text of [food.name, ...food.aliases]) {
        const tokens = readFatShares(tokenize(text, spellings));
        this.#add(food, withoutEmpty(wordsOf(tokens)));
        // Lines are looked up after "four" has become 4.
        this.#add(food, withoutEmpty(wordsOf(readNumberWords(tokens))));
      }
    }
  }

  /** Counts look-ups and comparisons. */
  get work(): Work {
    return this.#ranking.work;
  }

  #add(food: Food, words: readonly string[]): void {
    if (this.#names.add(food, words)) this.#ranking.add(food, words);
  }

  /** The food that has this name, or undefined. */
  findByName(phrase: string): Food | undefined {
    return this.#names.find(phrase);
  }

  /** The food that has a name of these words in whatever order, or undefined. */
  findByWords(words: readonly string[]): Food | undefined {
    return this.#names.findByWords(words);
  }

  /** Whether food can be described by the word; of a word of no language this takes some work. */
  describesFood(word: string): boolean {
    if (this.#lexicon.has(word)) return this.#lexicon.describes(word);
    return this.#described.get(word, () => {
      this.work.add(SPELLING_STEPS);
      return !this.work.isSpent && this.#lexicon.describes(word);
    });
  }

  /** Whether some name has the word. */
  knows(word: string): boolean {
    return this.#ranking.knows(word);
  }

  /**
   * The food that the words most likely mean, or undefined: one that has them as a name, with or
   * without words that only describe; else the one whose name has the head of the phrase, its last
   * telling word, and answers to most of the rest. Words that belong to no name of the food cost it.
   */
  match(phrase: readonly string[]): FoodMatch | undefined {
    const words = withoutEmpty(phrase).slice(0, WORDS_MAX);
    const exact = this.findByName(words.join(" "));
    if (exact) return { food: exact, score: 1, unmatched: [] };
    if (this.work.isSpent) return undefined;
    return this.#matches.get(words.join(" "), () => ({ found: this.#match(words) })).found;
  }

  #match(words: readonly string[]): FoodMatch | undefined {
    // "And" parts what a dish is made of: "turkey and avocado sandwich".
    const parts = words.filter((word) => word !== "and");
    const corrected = this.correct(parts);
    const edits = corrected.filter((word, at) => word !== parts[at]).length;
    const found = this.#matchNamed(corrected) ?? this.#ranking.best(corrected);
    return found && { ...found, score: found.score * 0.93 ** edits };
  }

  /** Foods by how well a name of theirs answers to the words, best first. */
  search(phrase: readonly string[], limit: number): FoodMatch[] {
    return this.#ranking.rank(this.correct(withoutEmpty(phrase).slice(0, WORDS_MAX)), limit);
  }

  /** The words, each misspelt one as the word of a name that it most likely is. */
  correct(words: readonly string[]): string[] {
    return words.map((word) => this.#ranking.correct(word));
  }

  #matchNamed(words: readonly string[]): FoodMatch | undefined {
    return (
      this.#matchDescribed(words) ??
      this.#matchShare(words) ??
      this.#names.findTwice(words) ??
      this.#matchWithoutClass(words) ??
      this.#matchWithoutExtras(words) ??
      this.#matchPlain(words)
    );
  }

  /** Two names, or a name of a class, beside words that say little: "granny smith apples, peeled". */
  #matchPlain(words: readonly string[]): FoodMatch | undefined {
    const telling = words.filter((word) => !isDescription(word) || isTellingDescription(word));
    if (telling.length === words.length || telling.length === 0) return undefined;
    const found = this.#names.findTwice(telling) ?? this.#matchWithoutClass(telling);
    return found && { ...found, score: found.score * 0.97 };
  }

  /** A name, give or take words that only describe. */
  #matchDescribed(words: readonly string[]): FoodMatch | undefined {
    const food = this.findByWords(words);
    if (food) return { food, score: 0.97, unmatched: [] };
    const telling = words.filter((word) => !isDescription(word));
    const described = words.filter(isDescription);
    for (const kept of descriptionChoices(described)) {
      const name = words.filter((word) => kept.includes(word) || telling.includes(word));
      const found = this.findByName(name.join(" ")) ?? this.findByWords(name);
      const unmatched = described.filter((word) => !kept.includes(word));
      if (found) return { food: found, score: describedScore(unmatched), unmatched };
    }
    return undefined;
  }

  /** The food of that name whose share of fat is nearest, or else the one that says none. */
  #matchShare(words: readonly string[]): FoodMatch | undefined {
    const percent = words.map(percentOf).find((value) => value !== undefined);
    if (percent === undefined) return undefined;
    const others = [...new Set(words.filter((word) => percentOf(word) === undefined))];
    const nearest = this.#names.nearestShare(others, percent);
    if (nearest) return nearest;
    const plain = this.#matchDescribed(others.filter((word) => word !== "lean"));
    return plain && { ...plain, score: plain.score - TELLING_COST };
  }

  /** "Espresso coffee" is espresso; "almond cookie" is no almond. */
  #matchWithoutClass(words: readonly string[]): FoodMatch | undefined {
    const groups = groupsOfClass(words.at(-1) ?? "");
    const found = groups && words.length > 1 && this.#matchDescribed(words.slice(0, -1));
    if (!found || !groups.has(found.food.group)) return undefined;
    return { ...found, score: found.score * 0.97 };
  }

  /** A name beside a maker's name, or before a word such as "cocktail" or "platter". */
  #matchWithoutExtras(words: readonly string[]): FoodMatch | undefined {
    const kept = words.filter((word, at) => !isBrand(word) && (at === 0 || !VAGUE_WORDS.has(word)));
    if (kept.length === words.length || kept.length === 0) return undefined;
    const found = this.#matchDescribed(kept) ?? this.#ranking.best(kept);
    return found && { ...found, score: found.score * 0.97 };
  }
}

function describedScore(unmatched: readonly string[]): number {
  const telling = unmatched.filter(isTellingDescription).length;
  return (unmatched.length === 0 ? 0.96 : 0.94) - TELLING_COST * telling;
}
