import type { LineReading } from "../line-reader.ts";
import { hasNoStatedState } from "../composition/prepared-food.ts";

/** Foods whose portions one comment names. */
const ASSUMPTIONS_MAX = 3;
/** Below this score of a match the comment says what the words were taken for. */
const CLEAR_MATCH_SCORE = 0.9;

/** What was assumed about a line and the notes, in one sentence; empty when there is nothing to say. */
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

/** "a, b and c". */
export function list(items: readonly string[]): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} and ${last}`;
}
