import {
  descriptionChoices,
  groupsOfClass,
  isBrand,
  isDescription,
  isTellingDescription,
  withoutEmpty,
} from "../text/vocabulary.ts";
import { percentOf } from "../text/quantities.ts";
import { LISTS } from "../text/words.ts";
import { FoodNames } from "./food-names.ts";
import { type FoodMatch, matchNames } from "./comparison.ts";

/** Score lost for each unmatched word that affects the figures. */
const TELLING_COST = 0.1;
/** Maximum words of a phrase. */
const WORDS_MAX = 16;
const NEAREST_MAX = 3;

/** The curated foods by name, and which of them a phrase means. */
export class FoodIndex extends FoodNames {
  readonly #matches = this.work.cache<FoodMatch | undefined>();

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
    return this.#matches(words.join(" "), () => this.#match(words));
  }

  #match(words: readonly string[]): FoodMatch | undefined {
    // "And" separates ingredients: "turkey and avocado sandwich".
    const parts = words.filter((word) => word !== "and");
    const corrected = this.correct(parts);
    const edits = corrected.filter((word, at) => word !== parts[at]).length;
    const found =
      this.#matchDescribed(corrected) ??
      this.#matchShare(corrected) ??
      this.#matchWithoutClass(corrected) ??
      this.#matchWithoutExtras(corrected) ??
      this.#best(corrected);
    return scaled(found, 0.93 ** edits);
  }

  /** Foods by how well their names match the words, best first. */
  search(phrase: readonly string[], limit: number): FoodMatch[] {
    const words = this.correct(withoutEmpty(phrase).slice(0, WORDS_MAX));
    const said = withLast(this.#headOf(words), words);
    const matches = matchNames(said, this.namesWith(words)).toReversed();
    const best = new Map(matches.map((match) => [match.food, match]));
    return [...best.values()].sort((a, b) => b.score - a.score).slice(0, limit);
  }

  /** Names of foods that share the most words with a name, best first. */
  nearest(name: readonly string[]): string[] {
    const telling = name.filter((word) => !isDescription(word));
    if (!telling.some((word) => this.knows(word))) return [];
    return this.search(telling, NEAREST_MAX).map(({ food }) => food.name);
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
      const cost = TELLING_COST * unmatched.filter(isTellingDescription).length;
      const score = (unmatched.length === 0 ? 0.96 : 0.94) - cost;
      if (found) return { food: found, score, unmatched };
    }
    return undefined;
  }

  /** The food of that name with the nearest fat content, otherwise the one that states none. */
  #matchShare(words: readonly string[]): FoodMatch | undefined {
    const percent = words.map(percentOf).find((value) => value !== undefined);
    if (percent === undefined) return undefined;
    const nearest = this.nearestShare([...new Set(words)], percent);
    if (nearest) return nearest;
    const others = words.filter((word) => word !== "lean" && percentOf(word) === undefined);
    const plain = this.#matchDescribed(others);
    return plain && { ...plain, score: plain.score - TELLING_COST };
  }

  /** "Espresso coffee" and "Oreo cookies, crushed" are espresso and Oreos; "almond cookie" is no almond. */
  #matchWithoutClass(words: readonly string[]): FoodMatch | undefined {
    const at = words.findLastIndex((word) => !isDescription(word) || isTellingDescription(word));
    const groups = groupsOfClass(words[at] ?? "");
    if (!groups || words.length === 1) return undefined;
    const found = this.#matchDescribed(words.toSpliced(at, 1));
    return found && groups.includes(found.food.group) ? scaled(found, 0.97) : undefined;
  }

  /** A name beside a brand, or before a word such as "cocktail" or "platter". */
  #matchWithoutExtras(words: readonly string[]): FoodMatch | undefined {
    const kept = words.filter(
      (word, at) => !isBrand(word) && (at === 0 || !LISTS.vagueWords.has(word)),
    );
    if (kept.length === words.length || kept.length === 0) return undefined;
    return scaled(this.#matchDescribed(kept) ?? this.#best(kept), 0.97);
  }

  /** The food whose name contains the head of the phrase and most of the rest. */
  #best(words: readonly string[]): FoodMatch | undefined {
    const head = this.#headOf(words);
    if (head === undefined) return undefined;
    // A "birthday cake" is not a birthday.
    const names = this.namesWith([head]).filter(({ head }) => words.includes(head.at(-1) ?? ""));
    return matchNames(withLast(head, words), names).find(({ isAnswer }) => isAnswer);
  }

  /** The last word that does more than describe, if a name has it: "apple betty" is not an apple. */
  #headOf(words: readonly string[]): string | undefined {
    const telling = words.findLast((word) => !isDescription(word)) ?? words.at(-1) ?? "";
    return this.knows(telling) ? telling : undefined;
  }
}

/** The words with `last` at the end. */
function withLast(last: string | undefined, words: readonly string[]): readonly string[] {
  return last === undefined ? words : [...words.filter((word) => word !== last), last];
}

function scaled(match: FoodMatch | undefined, factor: number): FoodMatch | undefined {
  return match && { ...match, score: match.score * factor };
}
