import type { LineReading } from "../line-reader.ts";
import { hasNoStatedState } from "../composition/prepared-food.ts";
import { foldWords } from "../text/food-words.ts";
import { singular } from "../text/spelling.ts";

/** Maximum number of foods whose portions a comment names. */
const ASSUMPTIONS_MAX = 3;
/** Below this match score, the comment says how the words were read. */
const CLEAR_MATCH_SCORE = 0.9;

/**
 * What was assumed about a line, with the notes, in one sentence; empty if there is nothing to say.
 */
export function commentOf({ foods, unknown }: LineReading, notes: readonly string[]): string {
  const clauses: string[] = [];
  const taken = foods.filter(({ match }) => match.score < CLEAR_MATCH_SCORE);
  const cooked = foods.filter(hasNoStatedState).map(({ match }) => `cooked ${match.food.name}`);
  const read = [...taken.map(({ match }) => match.food.name), ...cooked];
  if (read.length > 0) clauses.push(`read as ${list(read)}`);
  const assumptions = foods.flatMap(({ weight }) => weight.assumption ?? []);
  if (assumptions.length > 0) {
    clauses.push(`assumed ${list(assumptions.slice(0, ASSUMPTIONS_MAX))}`);
  }
  if (unknown.length > 0) clauses.push(`left out ${list(unknown.map((text) => `“${text}”`))}`);
  clauses.push(...notes);
  const sentence = clauses.join("; ");
  return sentence === "" ? "" : `${sentence[0]?.toUpperCase()}${sentence.slice(1)}.`;
}

const LISTED = new Intl.ListFormat("en-GB");

/** "a, b and c". */
export function list(items: readonly string[]): string {
  return LISTED.format(items);
}

/**
 * The part of a line that a phrase was read from, as the person wrote it: "puff puffs" of "two puff
 * puffs" for "2 puff puff". Amounts are left out; falls back to the phrase itself.
 */
export function asWritten(phrase: string, line: string): string {
  const named = phrase.split(" ").filter((word) => !/^[\d/.,-]+$/.test(word));
  const written = line.split(/\s+/u);
  const read = written.map((word) => singular(foldWords(word)));
  const [first = "", last = first] = [named.find((word) => read.includes(word)), named.at(-1)];
  const start = read.indexOf(first);
  if (start === -1) return named.join(" ") || phrase;
  const end = Math.max(start, read.indexOf(last, start));
  const said = written.slice(start, end + 1).join(" ");
  return said.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
}
