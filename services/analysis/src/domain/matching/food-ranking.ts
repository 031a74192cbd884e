import usda from "../../../foods/words/usda.json" with { type: "json" };
import type { ImportedFood } from "../foods/imported-food.ts";
import { singular } from "../text/words.ts";
import { foldWords, headWords, stem, stemsOf } from "../text/food-words.ts";

/** A food found by a search; scores are comparable within one search. */
export interface Ranked<Found = ImportedFood> {
  readonly food: Found;
  readonly score: number;
}

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

/** The words of a food's name. */
interface NameWords {
  /** The words between blanks. */
  readonly words: string;
  readonly stems: ReadonlySet<string>;
  /** Stems of the head of the name: "almonds" of "Nuts, almonds, dry roasted". */
  readonly head: readonly string[];
}

const NAME_WORDS_MAX = 12;

const known = new WeakMap<ImportedFood, NameWords>();

/** The words of a food's name, read once for each food. */
function wordsOfFood(food: ImportedFood): NameWords {
  const read = known.get(food);
  if (read) return read;
  const words = foldWords(food.name);
  const head = stemsOf(headWords(food.name));
  const own = { words: ` ${words} `, stems: new Set(stemsOf(words)), head };
  known.set(food, own);
  return own;
}

/** The stems of the words of a food's name. */
export function stemsOfFood(food: ImportedFood): ReadonlySet<string> {
  return wordsOfFood(food).stems;
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
    const has = (stem: string) => stems.has(stem);
    const own = [...stems];
    // Weights tuned on searches of an app's users: the words before the first comma of a name count
    // most, and plain foods come before dried, canned or reduced ones.
    return (
      0.5 * shareOf(phrases, (term) => term.some((phrase) => phrase.every(has))) +
      0.9 * shareOf(written, (forms) => forms.some((form) => words.includes(form))) +
      0.9 * shareOf(own, (stem) => asked.has(stem)) +
      (head.every((stem) => asked.has(stem)) ? 0.7 : 0) +
      (references.includes(food.reference) ? 0.4 : 0) +
      (own.some((stem) => PLAIN_WORDS.has(stem)) ? 0.2 : 0) -
      (own.some((stem) => UNWANTED_WORDS.has(stem) && !asked.has(stem)) ? 0.4 : 0) -
      0.03 * Math.min(NAME_WORDS_MAX, own.length)
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

/** The default forms of foods: raw, cooked, not further specified. */
const PLAIN_WORDS: ReadonlySet<string> = new Set(usda.plain.map(stem));

/** Forms other than the default; they lower the score of a name unless the search asks for them. */
const UNWANTED_WORDS: ReadonlySet<string> = new Set(usda.unwanted.map(stem));
