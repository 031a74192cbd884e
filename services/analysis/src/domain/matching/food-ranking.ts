import usda from "../../../foods/words/usda.json" with { type: "json" };
import type { ImportedFood } from "../foods/imported-food.ts";
import { foldWords, headWords, stem, stemsOf } from "../text/food-words.ts";

/** A food found by a search; scores are comparable within one search. */
export interface Ranked {
  readonly food: ImportedFood;
  readonly score: number;
}

/** A word or fixed phrase to search for, with its synonyms. */
export type Term = readonly (readonly string[])[];

/** What to search for. */
export interface SearchQuery {
  readonly words: readonly string[];
  readonly terms: readonly Term[];
  /** References of foods commonly called by this name. */
  readonly references: readonly string[];
}

/** A food with the precomputed words of its name. */
export interface Candidate {
  readonly food: ImportedFood;
  readonly words: string;
  readonly stems: ReadonlySet<string>;
  /** Stems of the head of its name: "almonds" of "Nuts, almonds, dry roasted". */
  readonly head: readonly string[];
}

/** Number of foods compared letter by letter: those with the best word scores. */
export const COMPARED_MAX = 60;
const NAME_WORDS_MAX = 12;

// Weights tuned on searches of an app's users: the words before the first comma of a name count
// most, and plain foods come before dried, canned or reduced ones.
const WORTH = {
  found: 0.3,
  named: 0.5,
  head: 0.7,
  kind: 0.1,
  called: 0.4,
  survey: 0.05,
  perWord: -0.05,
  plain: 0.2,
  unwanted: -0.4,
  whole: 0.5,
  part: 0.5,
  denied: -0.3,
} as const;

/** Precomputes the words of a food's name; `stemOf` may cache stems, as names share words. */
export function candidateOf(food: ImportedFood, stemOf = stem): Candidate {
  const words = foldWords(food.name);
  const head = stemsOf(headWords(food.name), stemOf);
  return { food, words, stems: new Set(stemsOf(words, stemOf)), head };
}

/** A query with what candidates are compared with, computed once. */
interface PreparedQuery extends SearchQuery {
  readonly asked: ReadonlySet<string>;
  readonly unwanted: readonly string[];
  readonly trigrams: ReadonlySet<string>;
  readonly denied: RegExp;
}

/** Ranks the foods found for a search, best first; all searches use this order. */
export function rankFoods(
  candidates: readonly Candidate[],
  query: SearchQuery,
  limit: number,
): Ranked[] {
  const { words, terms } = query;
  const asked = new Set(terms.flat(2).map(stem));
  const prepared = {
    ...query,
    asked,
    unwanted: UNWANTED_WORDS.filter((word) => !asked.has(word)),
    trigrams: trigramsOf(words.join(" ")),
    denied: new RegExp(`\\b(?:no|non|without|not) (?:${words.join("|") || "$"})\\b`, "u"),
  };
  return candidates
    .map((candidate) => ({ candidate, stands: standing(candidate, prepared) }))
    .sort((one, other) => other.stands - one.stands)
    .slice(0, COMPARED_MAX)
    .map(({ candidate, stands }) => {
      return { food: candidate.food, score: stands + closeness(candidate, prepared) };
    })
    .sort((one, other) => other.score - one.score || order(one.food, other.food))
    .slice(0, limit);
}

function standing(
  { food, stems, head }: Candidate,
  { terms, references, asked, unwanted }: PreparedQuery,
): number {
  const hasAny = (words: readonly string[]) => words.some((word) => stems.has(word));
  return worthOf({
    found: true,
    named: terms.every((term) =>
      term.some((phrase) => stemsOf(phrase.join(" ")).every((word) => stems.has(word))),
    ),
    head: head.every((word) => asked.has(word)),
    called: references.includes(food.reference),
    survey: food.reference.startsWith("fndds"),
    perWord: Math.min(NAME_WORDS_MAX, stems.size),
    plain: hasAny(PLAIN_WORDS),
    unwanted: hasAny(unwanted),
  });
}

function closeness(
  { words, food, head }: Candidate,
  { asked, trigrams, denied }: PreparedQuery,
): number {
  // "Pizza, cheese, thin crust" is a cheese pizza; "Pizza, extra cheese" is another kind.
  const [, kind = ""] = food.name.split(",");
  const kinds = stemsOf(foldWords(kind));
  const isTold = kinds.some((word) => !head.includes(word));
  return worthOf({
    ...likeness(trigrams, trigramsOf(words)),
    kind: isTold && [...head, ...kinds].every((word) => asked.has(word)),
    denied: denied.test(words),
  });
}

/** Sum of what the parts of a score are worth; a part that is true counts once. */
function worthOf(parts: Readonly<Partial<Record<keyof typeof WORTH, boolean | number>>>): number {
  const keys = Object.keys(parts) as (keyof typeof WORTH)[];
  return keys.reduce((sum, key) => sum + WORTH[key] * Number(parts[key]), 0);
}

function order(one: ImportedFood, other: ImportedFood): number {
  return one.reference < other.reference ? -1 : 1;
}

/** Trigrams of each word, padded with two leading blanks and one trailing blank. */
function trigramsOf(words: string): ReadonlySet<string> {
  const trigrams = new Set<string>();
  for (const word of words.split(" ")) {
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length; at += 1) trigrams.add(padded.slice(at, at + 3));
  }
  return trigrams;
}

/** 0 to 1: the similarity of both texts, and the share of the first that is in the second. */
function likeness(
  wanted: ReadonlySet<string>,
  name: ReadonlySet<string>,
): { whole: number; part: number } {
  let shared = 0;
  for (const trigram of wanted) if (name.has(trigram)) shared += 1;
  return {
    whole: shared / (wanted.size + name.size - shared || 1),
    part: shared / (wanted.size || 1),
  };
}

/** The default forms of foods: raw, cooked, not further specified. */
const PLAIN_WORDS = usda.plain.map(stem);

/** Forms other than the default; they lower the score of a name unless the search asks for them. */
const UNWANTED_WORDS = usda.unwanted.map(stem);
