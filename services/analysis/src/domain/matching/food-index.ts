import { LISTS } from "../text/words.ts";
import {
  isBrand,
  descriptionChoices,
  groupsOfClass,
  isDescription,
  isTellingDescription,
  joinBrands,
  withoutEmpty,
} from "../text/name-words.ts";
import type { Food } from "../foods/food.ts";
import { readNumberWords } from "../text/number-words.ts";
import { FoodNames } from "./food-names.ts";
import type { FoodMatch } from "./name-match.ts";
import { NameRanking } from "./name-ranking.ts";
import { percentOf, readFatShares } from "../text/percentages.ts";
import type { Vocabulary } from "../text/lexicon.ts";
import { tokenize, wordsOf } from "../text/tokens.ts";
import { Recent } from "./work.ts";
import type { Work } from "./work.ts";

/** Maximum words of a phrase, and size of the cache of matched phrases. */
const WORDS_MAX = 16;
const MATCHES_KEPT = 1_000;
/** Steps of work for trying the misspellings of the words. */
const SPELLING_STEPS = 80;
/** Score lost for each unmatched word that affects the figures. */
const TELLING_COST = 0.1;

/** In-memory index of foods by name. */
export class FoodIndex {
  readonly vocabulary: Vocabulary;
  readonly #names: FoodNames;
  readonly #ranking: NameRanking;
  readonly #described: Recent<boolean>;
  readonly #matches: Recent<{ readonly found: FoodMatch | undefined }>;

  constructor(foods: readonly Food[], vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
    this.#ranking = new NameRanking(vocabulary.lexicon);
    this.#names = new FoodNames(this.work);
    this.#described = new Recent(MATCHES_KEPT, this.work);
    this.#matches = new Recent(MATCHES_KEPT, this.work);
    for (const food of foods) {
      for (const text of [food.name, ...food.aliases]) {
        const tokens = joinBrands(readFatShares(tokenize(text, vocabulary.spellings)));
        this.#add(food, withoutEmpty(wordsOf(tokens)));
        // Lines are matched after "four" has become 4.
        this.#add(food, withoutEmpty(wordsOf(readNumberWords(tokens))));
      }
    }
  }

  /** The number of look-ups and comparisons so far. */
  get work(): Work {
    return this.#ranking.work;
  }

  #add(food: Food, words: readonly string[]): void {
    if (this.#names.add(food, words)) this.#ranking.add(food, words);
  }

  /** The food with this name, or undefined. */
  findByName(phrase: string): Food | undefined {
    return this.#names.find(phrase);
  }

  /** The food whose name has these words in any order, or undefined. */
  findByWords(words: readonly string[]): Food | undefined {
    return this.#names.findByWords(words);
  }

  /** Whether the word can describe food; costs some work for words of no known language. */
  describesFood(word: string): boolean {
    const { lexicon } = this.vocabulary;
    if (lexicon.has(word)) return lexicon.describes(word);
    return this.#described.get(word, () => {
      this.work.add(SPELLING_STEPS);
      return !this.work.isSpent && lexicon.describes(word);
    });
  }

  /** Whether any name contains the word. */
  knows(word: string): boolean {
    return this.#ranking.knows(word);
  }

  /**
   * The food that the phrase most likely means, or undefined: one named by the words, ignoring
   * descriptions; otherwise one whose name has the head of the phrase (its last significant word)
   * and most of the rest. Unmatched words lower the score.
   */
  match(phrase: readonly string[]): FoodMatch | undefined {
    const words = withoutEmpty(phrase).slice(0, WORDS_MAX);
    const exact = this.findByName(words.join(" "));
    if (exact) return { food: exact, score: 1, unmatched: [] };
    if (this.work.isSpent) return undefined;
    return this.#matches.get(words.join(" "), () => ({ found: this.#match(words) })).found;
  }

  #match(words: readonly string[]): FoodMatch | undefined {
    // "And" separates ingredients: "turkey and avocado sandwich".
    const parts = words.filter((word) => word !== "and");
    const corrected = this.correct(parts);
    const edits = corrected.filter((word, at) => word !== parts[at]).length;
    const found = this.#matchNamed(corrected) ?? this.#ranking.best(corrected);
    return found && { ...found, score: found.score * 0.93 ** edits };
  }

  /** Foods by how well their names match the words, best first. */
  search(phrase: readonly string[], limit: number): FoodMatch[] {
    return this.#ranking.rank(this.correct(withoutEmpty(phrase).slice(0, WORDS_MAX)), limit);
  }

  /** The words, each unknown one replaced by the most likely word of a name. */
  correct(words: readonly string[]): string[] {
    return words.map((word) => this.#ranking.correct(word));
  }

  #matchNamed(words: readonly string[]): FoodMatch | undefined {
    return (
      this.#matchDescribed(words) ??
      this.#matchShare(words) ??
      this.#matchWithoutClass(words) ??
      this.#matchWithoutExtras(words) ??
      this.#matchPlain(words)
    );
  }

  /** A name and that of its food group beside other words: "Oreo cookies, crushed". */
  #matchPlain(words: readonly string[]): FoodMatch | undefined {
    const telling = words.filter((word) => !isDescription(word) || isTellingDescription(word));
    if (telling.length === words.length || telling.length === 0) return undefined;
    const found = this.#matchWithoutClass(telling);
    return found && { ...found, score: found.score * 0.97 };
  }

  /** A name plus or minus words that only describe. */
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

  /** The food of that name with the nearest fat content, otherwise the one that states none. */
  #matchShare(words: readonly string[]): FoodMatch | undefined {
    const percent = words.map(percentOf).find((value) => value !== undefined);
    if (percent === undefined) return undefined;
    const others = [...new Set(words.filter((word) => percentOf(word) === undefined))];
    const nearest = this.#names.nearestShare(others, percent);
    if (nearest) return nearest;
    const plain = this.#matchDescribed(others.filter((word) => word !== "lean"));
    return plain && { ...plain, score: plain.score - TELLING_COST };
  }

  /** "Espresso coffee" is espresso, but "almond cookie" is not almonds. */
  #matchWithoutClass(words: readonly string[]): FoodMatch | undefined {
    const groups = groupsOfClass(words.at(-1) ?? "");
    const found = groups && words.length > 1 && this.#matchDescribed(words.slice(0, -1));
    if (!found || !groups.includes(found.food.group)) return undefined;
    return { ...found, score: found.score * 0.97 };
  }

  /** A name beside a brand, or before a word such as "cocktail" or "platter". */
  #matchWithoutExtras(words: readonly string[]): FoodMatch | undefined {
    const kept = words.filter(
      (word, at) => !isBrand(word) && (at === 0 || !LISTS.vagueWords.has(word)),
    );
    if (kept.length === words.length || kept.length === 0) return undefined;
    const found = this.#matchDescribed(kept) ?? this.#ranking.best(kept);
    return found && { ...found, score: found.score * 0.97 };
  }
}

function describedScore(unmatched: readonly string[]): number {
  const telling = unmatched.filter(isTellingDescription).length;
  return (unmatched.length === 0 ? 0.96 : 0.94) - TELLING_COST * telling;
}
