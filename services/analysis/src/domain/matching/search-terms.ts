import type { Term } from "./search-text.ts";

/**
 * Text queries of PostgreSQL. Terms hold letters and digits only, so that quoting them is all that is
 * needed.
 */
export function allOf(terms: readonly Term[]): string {
  return terms.map(anyOf).join(" & ");
}

/** A text query that any of the terms answers. */
export function someOf(terms: readonly Term[]): string {
  return terms.map(anyOf).join(" | ");
}

function anyOf(term: Term): string {
  const phrases = term.map((words) => `(${words.map((word) => `'${word}'`).join(" & ")})`);
  return `(${phrases.join(" | ")})`;
}

/** All words of the terms, also of those that mean the same. */
export function wordsOfTerms(terms: readonly Term[]): string {
  return terms.flat(2).join(" ");
}
