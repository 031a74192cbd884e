import type { LineReader } from "../line-reader.ts";
import { indexOfPhrase, withName } from "../segmentation/parsed-line.ts";
import type { ParsedLine } from "../segmentation/parsed-line.ts";
import { isDescription } from "../text/name-words.ts";
import { isWord, wordsOf } from "../text/tokens.ts";
import type { Token } from "../text/tokens.ts";
import { AND, WITH } from "../text/words.ts";
import { NAMED_SCORE, readRelativeAmount, withCount, withPortion } from "./remark-amounts.ts";
import { clausesOf, lineWithDetails, withClause } from "./remark-clauses.ts";
import { withAddition, withNameJoined, withOtherFood } from "./remark-foods.ts";

/** What the user wrote about a line. */
export interface LineRemarks {
  readonly line: string;
  /** Context that the journal does not show; empty for none. */
  readonly details: string;
  /** What is wrong with an earlier estimate; empty for none. */
  readonly correction: string;
}

/** The line as it is meant, with what could not be used of what was said about it. */
export interface CorrectedLine {
  readonly line: ParsedLine;
  /** What the weights of the line are multiplied by: "only half of that". */
  readonly factor: number;
  readonly unusedDetails: readonly string[];
  readonly unusedCorrection: readonly string[];
}

/** "No, it was": what follows is the correction. */
const OBJECTION =
  /^\s*(?:(?:no[,.!]|no(?= it\b)|nope|wrong|sorry|actually|correction|not quite)[\s,;:.!]*)+/iu;
const IT_WAS =
  /^(?:(?:it|they|there|this|that|i|we)(?:'s|'re)?\s+)?(?:(?:was|were|is|are|had|ate|should be|only|just|more like|really|actually)\s+)*/iu;
const OF_THEM = /\s+(?:of|on|in) (?:them|those|it|that)$/iu;
/** "It had sugar in it": said of a part, not of the whole. */
const HELD =
  /^(?:(?:it|they|there)\s+)?(?:had|has|was|were)\s+(?!no\b)(.+?)\s+(?:in|on|with) (?:it|them|top)$/iu;
const X_NOT_Y = /^(.+?)[\s,]+(?:not|instead of|rather than)\s+(.+)$/iu;
const NOT_X_BUT_Y = /^not\s+(.+?)[\s,]+but\s+(.+)$/iu;
const WITHOUT =
  /^(?:without|no|minus|hold|there was no|i left out|i didn't have)\s+(?:the |any |my )?(\p{L}[\p{L} ]{1,40})$/iu;
/** More is a story and no correction of a line. */
const CLAUSE_CHARACTERS_MAX = 200;
const ADDS = /^(?:and|also|plus|with|extra|i forgot|forgot|added|add) (?:the |some |also )*/iu;

/**
 * The line as the details and the correction have it: another food ("it was brown rice", "chicken,
 * not beef"), another amount ("it was two", "only half of that"), a part more or less, or what the
 * line does not say.
 */
export function lineAsRemarked(remarks: LineRemarks, reader: LineReader): CorrectedLine {
  const corrected = withCorrection(remarks, reader);
  if (remarks.details === "" && remarks.correction === "") return corrected;
  return { ...corrected, line: asNamed(corrected.line, reader) };
}

/** A dish without something, where the table lists it: "burger no bun". */
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
  const foods = otherFoods(correction, detailed.line, reader);
  if (foods !== undefined) return { ...none, line: foods };
  let { line } = detailed;
  const unusedCorrection: string[] = [];
  const isOne = X_NOT_Y.test(correction) || NOT_X_BUT_Y.test(correction);
  for (const clause of isOne ? [correction] : clausesOf(correction)) {
    const next = correctedBy(line, clause, reader);
    if (next === undefined) unusedCorrection.push(clause);
    else line = next;
  }
  return { ...none, line, unusedCorrection };
}

/** "It was chicken, rice and broccoli": several foods in place of the line, or any in place of none. */
function otherFoods(
  correction: string,
  line: ParsedLine,
  reader: LineReader,
): ParsedLine | undefined {
  const said = correction.replace(IT_WAS, "");
  const isNone = reader.understand(line).foods.length === 0;
  if (!isNone && (said === correction || ADDS.test(said))) return undefined;
  if (/\bnot\b|^no\b|^without\b/iu.test(said)) return undefined;
  const meant = reader.parse(isNone ? said.replace(ADDS, "") : said);
  const { foods, unknown } = reader.understand(meant);
  const isClear = foods.every(({ match }) => match.score >= NAMED_SCORE) && unknown.length === 0;
  return isClear && foods.length > (isNone ? 0 : 1) ? meant : undefined;
}

/** Details of a line that names no food are all there is to go by. */
function withDetails({ line: text, details }: LineRemarks, reader: LineReader) {
  const line = reader.parse(text);
  if (details === "") return { line, unused: [] };
  if (reader.understand(line).foods.length > 0) return lineWithDetails(line, details, reader);
  const { foods, unknown } = reader.read(details);
  const isRead = foods.length > unknown.length;
  return isRead ? { line: reader.parse(details), unused: [text] } : { line, unused: [] };
}

/** The line as one thing said about it has it; undefined when it could not be used. */
function correctedBy(
  line: ParsedLine,
  correction: string,
  reader: LineReader,
): ParsedLine | undefined {
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
}

/** "Chicken, not beef" where the name of a part has the beef. */
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

/** Without "with the butter": a part that the line adds, or words of a name such as "tea with milk". */
function withoutAddition(line: ParsedLine, said: readonly Token[]): ParsedLine | undefined {
  const added = line.parts.find((part, at) => at > 0 && indexOfPhrase(part.name, said) === 0);
  if (added) return { ...line, parts: line.parts.filter((part) => part !== added) };
  for (const part of line.parts) {
    const at = indexOfPhrase(part.name, said);
    const joint = part.name.findLastIndex((token, index) => index < at && isJoint(token));
    if (at > 0 && joint === at - 1 && joint > 0) {
      return withName(line, part, part.name.toSpliced(joint, said.length + 1));
    }
  }
  return undefined;
}

function isJoint(token: Token): boolean {
  return isWord(token, WITH) || isWord(token, AND);
}

/** A word that describes, or a milk: no other food, but another kind of the same. */
function isKind(said: string, reader: LineReader): boolean {
  const words = wordsOf(reader.tokensOf(said));
  return words.length > 0 && (words.every(isDescription) || words.at(-1) === "milk");
}
