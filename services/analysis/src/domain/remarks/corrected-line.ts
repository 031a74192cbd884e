import type { LineReader } from "../line-reader.ts";
import { indexOfPhrase, withName } from "../segmentation/parsed-line.ts";
import type { ParsedLine } from "../segmentation/parsed-line.ts";
import { isDescription } from "../text/name-words.ts";
import { isWord, wordsOf } from "../text/tokens.ts";
import type { Tokens } from "../text/tokens.ts";
import { AND, WITH } from "../text/words.ts";
import { NAMED_SCORE, withClauses } from "./line-change.ts";
import type { LineChange } from "./line-change.ts";
import { readRelativeAmount, withCount, withPortion } from "./remark-amounts.ts";
import { clausesOf, lineWithDetails, withClause } from "./remark-clauses.ts";
import { withAddition, withNameJoined, withOtherFood } from "./remark-foods.ts";

/** A line with what the user wrote about it. */
export interface LineRemarks {
  readonly line: string;
  /** Context that the journal does not show; empty for none. */
  readonly details: string;
  /** What is wrong with an earlier estimate; empty for none. */
  readonly correction: string;
}

/** The line as corrected, with the remarks that could not be applied. */
export interface CorrectedLine {
  readonly line: ParsedLine;
  /** Factor for the weights of the line: 0.5 for "only half of that". */
  readonly factor: number;
  readonly unusedDetails: readonly string[];
  readonly unusedCorrection: readonly string[];
}

/** "No, it was": the correction follows. */
const OBJECTION =
  /^\s*(?:(?:no[,.!]|no(?= it\b)|nope|wrong|sorry|actually|correction|not quite)[\s,;:.!]*)+/iu;
const IT_WAS =
  /^(?:(?:it|they|there|this|that|i|we)(?:'s|'re)?\s+)?(?:(?:was|were|is|are|had|ate|should be|only|just|more like|really|actually)\s+)*/iu;
const OF_THEM = /\s+(?:of|on|in) (?:them|those|it|that)$/iu;
/** "It had sugar in it" refers to a part, not to the whole. */
const HELD =
  /^(?:(?:it|they|there)\s+)?(?:had|has|was|were)\s+(?!no\b)(.+?)\s+(?:in|on|with) (?:it|them|top)$/iu;
const X_NOT_Y = /^(.+?)[\s,]+(?:not|instead of|rather than)\s+(.+)$/iu;
const NOT_X_BUT_Y = /^not\s+(.+?)[\s,]+but\s+(.+)$/iu;
const WITHOUT =
  /^(?:without|no|minus|hold|there was no|i left out|i didn't have)\s+(?:the |any |my )?(\p{L}[\p{L} ]{1,40})$/iu;
/** Maximum length of a clause in characters; longer ones are stories, not corrections. */
const CLAUSE_CHARACTERS_MAX = 200;
const ADDS = /^(?:and|also|plus|with|extra|i forgot|forgot|added|add) (?:the |some |also )*/iu;

/**
 * Applies details and correction to the line: another food ("it was brown rice", "chicken, not
 * beef"), another amount ("it was two", "only half of that"), an added or removed part, or a
 * missing specification.
 */
export function lineAsRemarked(remarks: LineRemarks, reader: LineReader): CorrectedLine {
  const corrected = withCorrection(remarks, reader);
  if (remarks.details === "" && remarks.correction === "") return corrected;
  return { ...corrected, line: asNamed(corrected.line, reader) };
}

/** The table's own entry for a dish without something: "burger no bun". */
function asNamed(line: ParsedLine, reader: LineReader): ParsedLine {
  const [missing, ...others] = line.leftOut;
  if (missing === undefined || others.length > 0) return line;
  const said = ["no", ...missing.split(" ")].map((text) => ({ kind: "word" as const, text }));
  const named = withNameJoined(line, said, reader);
  return named ? { ...named, leftOut: [] } : line;
}

function withCorrection(remarks: LineRemarks, reader: LineReader): CorrectedLine {
  const detailed = withDetails(remarks, reader);
  const correction = remarks.correction.replace(OBJECTION, "").trim();
  const factor = readRelativeAmount(correction);
  const none = { factor: 1, unusedDetails: detailed.unused, unusedCorrection: [] };
  if (correction === "") return { ...none, line: detailed.line };
  if (factor !== undefined) return { ...none, line: detailed.line, factor };
  const foods = otherFoods(detailed.line, correction, reader);
  if (foods !== undefined) return { ...none, line: foods };
  const isOne = X_NOT_Y.test(correction) || NOT_X_BUT_Y.test(correction);
  const clauses = isOne ? [correction] : clausesOf(correction);
  const { line, unused } = withClauses(detailed.line, clauses, correctedBy, reader);
  return { ...none, line, unusedCorrection: unused };
}

/**
 * "It was chicken, rice and broccoli": replaces the line with several foods, or an unknown line
 * with any.
 */
const otherFoods: LineChange = (line, correction, reader) => {
  const said = correction.replace(IT_WAS, "");
  const isNone = reader.understand(line).foods.length === 0;
  if (!isNone && (said === correction || ADDS.test(said))) return undefined;
  if (/\bnot\b|^no\b|^without\b/iu.test(said)) return undefined;
  const meant = reader.parse(isNone ? said.replace(ADDS, "") : said);
  const { foods, unknown } = reader.understand(meant);
  const isClear = foods.every(({ match }) => match.score >= NAMED_SCORE) && unknown.length === 0;
  return isClear && foods.length > (isNone ? 0 : 1) ? meant : undefined;
};

/** If the line names no food, only the details can. */
function withDetails({ line: text, details }: LineRemarks, reader: LineReader) {
  const line = reader.parse(text);
  if (details === "") return { line, unused: [] };
  if (reader.understand(line).foods.length > 0) return lineWithDetails(line, details, reader);
  const { foods, unknown } = reader.read(details);
  const isRead = foods.length > unknown.length;
  return isRead ? { line: reader.parse(details), unused: [text] } : { line, unused: [] };
}

/** Applies one remark to the line; undefined if it does not fit. */
const correctedBy: LineChange = (line, correction, reader) => {
  if (correction.length > CLAUSE_CHARACTERS_MAX || reader.work.isSpent) return undefined;
  const held = HELD.exec(correction.trim())?.[1];
  if (held) return withAddition(line, held, reader);
  const said = correction
    .replace(IT_WAS, "")
    .replace(OF_THEM, "")
    .replace(/[.!]+$/u, "")
    .trim();
  const [, wrong, right] = NOT_X_BUT_Y.exec(said) ?? [];
  const [, meant = right, denied = wrong] = X_NOT_Y.exec(said) ?? [];
  if (meant && denied) {
    return withWordsReplaced(line, { meant, denied }, reader) ?? correctedBy(line, meant, reader);
  }
  const without = WITHOUT.exec(said)?.[1];
  const shorter = without && withoutAddition(line, reader.tokensOf(without));
  if (shorter) return shorter;
  if (ADDS.test(said)) return withAddition(line, said.replace(ADDS, ""), reader);
  if (without) return withClause(line, said, reader);
  return (
    withCount(line, said, reader) ??
    (isKind(said, reader) ? withClause(line, said, reader) : undefined) ??
    withOtherFood(line, said, reader) ??
    withPortion(line, said, reader) ??
    withClause(line, said, reader)
  );
};

/** "Chicken, not beef" for a part whose name contains beef. */
function withWordsReplaced(
  line: ParsedLine,
  { meant, denied }: { meant: string; denied: string },
  reader: LineReader,
): ParsedLine | undefined {
  const [wrong, right] = [reader.tokensOf(denied), reader.tokensOf(meant)];
  for (const part of line.parts) {
    const at = indexOfPhrase(part.name, wrong);
    if (at !== -1) return withName(line, part, part.name.toSpliced(at, wrong.length, ...right));
  }
  return undefined;
}

/** "Without the butter": removes an added part, or words of a name such as "tea with milk". */
function withoutAddition(line: ParsedLine, said: Tokens): ParsedLine | undefined {
  const added = line.parts.find((part, at) => at > 0 && indexOfPhrase(part.name, said) === 0);
  if (added) return { ...line, parts: line.parts.filter((part) => part !== added) };
  for (const part of line.parts) {
    const at = indexOfPhrase(part.name, said);
    if (at > 1 && isWord(part.name[at - 1], WITH, AND)) {
      return withName(line, part, part.name.toSpliced(at - 1, said.length + 1));
    }
  }
  return undefined;
}

/** A description or a milk: another kind of the same food, not another food. */
function isKind(said: string, reader: LineReader): boolean {
  const words = wordsOf(reader.tokensOf(said));
  return words.length > 0 && (words.every(isDescription) || words.at(-1) === "milk");
}
