import type { FoundFood } from "../composition/read-part.ts";
import type { LineReader, LineReading } from "../line-reader.ts";
import type { ParsedLine } from "../segmentation/parsed-line.ts";
import { isDescription } from "../text/name-words.ts";
import { wordsOf } from "../text/tokens.ts";

/** Changes a line as a remark says; undefined if the remark does not fit the line. */
export type LineChange = (
  line: ParsedLine,
  said: string,
  reader: LineReader,
) => ParsedLine | undefined;

/** A line after applying a text about it. */
export interface RemarkedLine {
  readonly line: ParsedLine;
  /** Clauses with content that could not be used. */
  readonly unused: readonly string[];
}

/** Applies the change clause by clause. */
export function withClauses(
  line: ParsedLine,
  clauses: readonly string[],
  change: LineChange,
  reader: LineReader,
): RemarkedLine {
  let told = line;
  const unused = clauses.filter((clause) => {
    const next = change(told, clause, reader);
    told = next ?? told;
    return next === undefined;
  });
  return { line: told, unused };
}

/** Minimum match score of a clear food name. */
export const NAMED_SCORE = 0.9;

/** The food of a reading that has no other, known or unknown. */
export function onlyFoodOf({ foods, unknown }: LineReading): FoundFood | undefined {
  const [found, ...others] = foods;
  return others.length === 0 && unknown.length === 0 ? found : undefined;
}

/** Whether a clause names exactly one food, unlike descriptions such as "200 g cooked". */
export function namesOneFood(said: string, reader: LineReader): boolean {
  const found = onlyFoodOf(reader.read(said));
  const isNamed = wordsOf(reader.quantify(said).name).some((word) => !isDescription(word));
  return found !== undefined && isNamed && found.match.score >= NAMED_SCORE;
}
