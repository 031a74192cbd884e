import { readRuns, singular } from "../text/spelling.ts";
import type { Spellings } from "../text/spelling.ts";
import { foldWords } from "../text/food-words.ts";
import SYNONYMS from "../../../foods/words/synonyms.json" with { type: "json" };
import { LISTS } from "../text/words.ts";

const WORDS_MAX = 12;
const SYNONYM_WORDS_MAX = 3;

/** A word or fixed phrase to search for, with its synonyms. */
export type Term = readonly (readonly string[])[];

/** Groups of phrases that name the same food. */
export class Synonyms {
  readonly #phrases = new Map<string, Set<string>>();

  constructor(spellings: Spellings) {
    for (const [from, to] of spellings) this.#add([from, to.join(" ")]);
    for (const phrases of SYNONYMS) this.#add(phrases);
  }

  #add(phrases: readonly string[]): void {
    const folded = phrases.map(foldWords);
    for (const phrase of folded) {
      const key = keyOf(phrase.split(" "));
      const known = this.#phrases.get(key) ?? new Set<string>();
      for (const other of folded) if (other !== phrase) known.add(other);
      this.#phrases.set(key, known);
    }
  }

  /** Splits the words into terms, longest known phrases first. */
  termsOf(words: readonly string[]): Term[] {
    return readRuns(words, SYNONYM_WORDS_MAX, (phrase) => {
      const others = this.#phrases.get(keyOf(phrase));
      if (!others && phrase.length > 1) return undefined;
      return [[phrase, ...[...(others ?? [])].map((other) => other.split(" "))]];
    });
  }
}

/** Singular and plural share a key. */
function keyOf(phrase: readonly string[]): string {
  return phrase.map(singular).join(" ");
}

/** Parses what a person types to find a food, without amounts and containers. */
export function readSearchText(text: string, synonyms: Synonyms) {
  const all = foldWords(text.replace(/(\d)\s*%/gu, "$1 percent "))
    .split(" ")
    .filter((word) => word !== "");
  const named = withoutAmount(all).filter((word) => !LISTS.emptyWords.has(word));
  const words = (named.length > 0 ? named : all).slice(0, WORDS_MAX);
  return { words, terms: synonyms.termsOf(words) };
}

const AMOUNT = /^(?:\d+|an?|some|one|two|three|four|five|six|seven|eight|nine|ten|half|couple)$/u;

/** "2 cups of coffee" and "cup of coffee" search for coffee; "glass noodles" contains no amount. */
function withoutAmount(words: readonly string[]): readonly string[] {
  let at = 0;
  while (AMOUNT.test(words[at] ?? "") && words[at + 1] !== "percent") at += 1;
  const counted = at > 0;
  let end = at;
  while (LISTS.amountsInSearches.has(words[end] ?? "")) end += 1;
  if (end > at && (counted || words[end] === "of")) at = end;
  if (words[at] === "of") at += 1;
  return words.slice(at);
}

/** Whether foods must match all terms of a query, or any of them. */
export type WhichTerms = "all" | "any";

/**
 * PostgreSQL text query that matches all or any of the terms. Terms contain only letters and digits,
 * so quoting is all the escaping they need.
 */
export function textQuery(terms: readonly Term[], which: WhichTerms): string {
  const queries = terms.map((term) => {
    const phrases = term.map((words) => `(${words.map((word) => `'${word}'`).join(" & ")})`);
    return `(${phrases.join(" | ")})`;
  });
  return queries.join(which === "all" ? " & " : " | ");
}

/** All words of the terms and their synonyms. */
export function wordsOfTerms(terms: readonly Term[]): string {
  return terms.flat(2).join(" ");
}
