import type { LineReader } from "../line-reader.ts";
import { indexOfPhrase, withName, wordsOfLine } from "../segmentation/parsed-line.ts";
import type { ParsedLine } from "../segmentation/parsed-line.ts";
import { isDescription } from "../text/name-words.ts";
import { isWord, wordsOf } from "../text/tokens.ts";
import { AND, LISTS, WITH } from "../text/words.ts";
import { withAmountTold } from "./remark-amounts.ts";
import type { LineChange } from "./remark-amounts.ts";
import {
  isAddedUnasked,
  withAddition,
  withKind,
  withMedium,
  withRestated,
} from "./remark-foods.ts";

/** Maximum clauses of one text, and words of a clause; the rest are stories and ignored. */
const CLAUSES_MAX = 6;
const CLAUSE_WORDS_MAX = 8;
const BETWEEN_CLAUSES =
  /[,;\n()]+|[.!](?:\s+|$)|\s+(?:and|but|&)\s+(?=(?:no|with|without|extra|added|plus|hold|also)\b)|\s+(?=(?:with|without|on|topped)\b)/iu;
/** "It was made with": words that say nothing about the food. */
const PREAMBLE =
  /^(?:(?:it|this|that|they|i|we|there|was|were|is|are|it's|its|on|had|have|has|ate|used|using|made|cooked|prepared|served|came|comes|just|really|actually|about|approximately|around|roughly|brand|note|you|the|a|an|one|version|kind)\b[\s:]*)+/iu;
/** Words after the amount or the name that say nothing. */
export const TRAILING =
  /\s+(?:version|kind|one|ones|weight|in total|in all|total|of (?:them|those|it|that))$/iu;
export const NEGATION =
  /^(?:no|not|without|hold|holding|minus|skip|skipped|except|excluding|w\/o|sans|omit|left out|didn't have)\s+(?:(?:the|any|my)\s+)?(?=\S)/iu;
export const ADDITION =
  /^(?:(?:and|also|plus|with|w\/|extra|added|adding|add|forgot|missed|topped with|on top)\s+)+(?:the |some )?(?=\S)/iu;
/** "Sugar in it": a part, not the whole. */
export const IN_IT = /\s+(?:in|on|with) (?:it|them|top|the side)$/iu;
const MEDIUM = /^in\s/iu;

/** Splits a text into clauses: "no bun, extra cheese". */
export function clausesOf(text: string): string[] {
  const clauses = text.split(BETWEEN_CLAUSES).map((clause) => clause.trim());
  return clauses.filter((clause) => clause !== "").slice(0, CLAUSES_MAX);
}

/** Applies the change clause by clause. `unused` are clauses with content that did not fit. */
export function withClauses(
  line: ParsedLine,
  clauses: readonly string[],
  change: LineChange,
  reader: LineReader,
) {
  let told = line;
  const unused = clauses.filter((clause) => {
    const isStory = clause.split(" ").length > CLAUSE_WORDS_MAX || reader.work.isSpent;
    const next = isStory ? undefined : change(told, clause, reader);
    told = next ?? told;
    return next === undefined;
  });
  return { line: told, unused: unused.filter((clause) => !saysNothing(clause, reader)) };
}

/** Applies one clause of the details: it adds to what the line says. */
export const withClause: LineChange = (line, clause, reader) => {
  const said = clause.replace(PREAMBLE, "").replace(TRAILING, "").trim() || clause;
  if (isRestated(line, said, reader)) return line;
  const part = said.replace(IN_IT, "");
  if (NEGATION.test(part)) return withNegation(line, part.replace(NEGATION, ""), reader);
  const added = part.replace(ADDITION, "");
  if (added !== said) return withAddition(line, added, reader);
  if (MEDIUM.test(said)) return withMedium(line, said, reader);
  return (
    withAmountTold(line, said, reader) ??
    withKind(line, said, reader) ??
    withRestated(line, said, reader) ??
    (isAddedUnasked(line, said, reader) ? withAddition(line, said, reader) : undefined)
  );
};

/** "Without the butter": removes a part, or words of a name such as "tea with milk". */
const withNegation: LineChange = (line, said, reader) => {
  const missing = reader.tokensOf(said);
  const added = line.parts.find((part, at) => at > 0 && indexOfPhrase(part.name, missing) === 0);
  if (added) return { ...line, parts: line.parts.filter((part) => part !== added) };
  for (const part of line.parts) {
    const at = indexOfPhrase(part.name, missing);
    if (at > 1 && isWord(part.name[at - 1], WITH, AND)) {
      return withName(line, part, part.name.toSpliced(at - 1, missing.length + 1));
    }
  }
  const leftOut = [...line.leftOut, ...reader.parse(`no ${said}`).leftOut];
  const next = { ...line, leftOut };
  return reader.understand(next).foods.length > 0 ? next : undefined;
};

function isRestated(line: ParsedLine, said: string, reader: LineReader): boolean {
  const known = wordsOfLine(line);
  const told = wordsOf(reader.tokensOf(said));
  return told.every((word) => known.has(word) || LISTS.remarksOfNothing.has(word));
}

function saysNothing(clause: string, reader: LineReader): boolean {
  return wordsOf(reader.tokensOf(clause)).every(
    (word) => LISTS.remarksOfNothing.has(word) || isDescription(word) || word === "1",
  );
}

/** Whether a clause names a food. */
export function namesFood(clause: string, reader: LineReader): boolean {
  return reader.read(clause.replace(PREAMBLE, "")).foods.length > 0;
}
