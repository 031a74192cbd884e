import { hasAmount } from "../composition/read-part.ts";
import type { LineReader } from "../line-reader.ts";
import { indexOfPhrase, withName, withParts } from "../segmentation/parsed-line.ts";
import type { ParsedLine } from "../segmentation/parsed-line.ts";
import { isDescription } from "../text/name-words.ts";
import { wordsOf } from "../text/tokens.ts";
import { NAMED_SCORE, readRelativeAmount, withCount, withPortion } from "./remark-amounts.ts";
import type { LineChange } from "./remark-amounts.ts";
import {
  ADDITION,
  clausesOf,
  IN_IT,
  NEGATION,
  TRAILING,
  withClause,
  withClauses,
} from "./remark-clauses.ts";
import { onlyFoodOf, withNameJoined, withOtherFood } from "./remark-foods.ts";

/** A line with what the user wrote about it. */
export interface LineRemarks {
  readonly line: string;
  /** Context that the journal does not show; empty for none. */
  readonly details: string;
  /** What is wrong with an earlier estimate; empty for none. */
  readonly correction: string;
}

/** The line as its remarks say, with those that could not be applied. */
export interface RemarkedLine {
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
const X_NOT_Y = /^(.+?)[\s,]+(?:not|instead of|rather than)\s+(.+)$/iu;
const NOT_X_BUT_Y = /^not\s+(.+?)[\s,]+but\s+(.+)$/iu;

/**
 * Applies details and correction to the line: another food ("it was brown rice", "chicken, not
 * beef"), another amount ("it was two", "only half of that"), an added or removed part, or a
 * missing specification.
 */
export function lineAsRemarked(remarks: LineRemarks, reader: LineReader): RemarkedLine {
  const { line, unused } = withDetails(remarks, reader);
  const correction = remarks.correction.replace(OBJECTION, "").trim();
  const factor = readRelativeAmount(correction);
  const result = { factor: factor ?? 1, unusedDetails: unused, unusedCorrection: [] };
  if (factor !== undefined || correction === "") {
    return { ...result, line: remarks.details === "" ? line : asNamed(line, reader) };
  }
  const foods = otherFoods(line, correction, reader);
  if (foods !== undefined) return { ...result, line: foods };
  const isOne = X_NOT_Y.test(correction) || NOT_X_BUT_Y.test(correction);
  const clauses = isOne ? [correction] : clausesOf(correction);
  const corrected = withClauses(line, clauses, correctedBy, reader);
  const named = asNamed(corrected.line, reader);
  return { ...result, line: named, unusedCorrection: corrected.unused };
}

/** The table's own entry for a dish without something: "burger no bun". */
function asNamed(line: ParsedLine, reader: LineReader): ParsedLine {
  const [missing, ...others] = line.leftOut;
  if (missing === undefined || others.length > 0) return line;
  const said = ["no", ...missing.split(" ")].map((text) => ({ kind: "word" as const, text }));
  const named = withNameJoined(line, said, reader);
  return named ? { ...named, leftOut: [] } : line;
}

/** If the line names no food, only the details can. */
function withDetails({ line: text, details }: LineRemarks, reader: LineReader) {
  const line = reader.parse(text);
  if (details === "") return { line, unused: [] };
  if (reader.understand(line).foods.length > 0) {
    const clauses = clausesOf(details);
    const recipe = recipeOf(line, clauses, reader);
    return recipe ? { line: recipe, unused: [] } : withClauses(line, clauses, withClause, reader);
  }
  const { foods, unknown } = reader.read(details);
  const isRead = foods.length > unknown.length;
  return isRead ? { line: reader.parse(details), unused: [text] } : { line, unused: [] };
}

/** "40 g oats, 300 ml milk" is the recipe of a porridge without an amount. */
function recipeOf(line: ParsedLine, clauses: readonly string[], reader: LineReader) {
  if (clauses.length < 2 || line.parts.some(hasAmount)) return undefined;
  const isWeighed = clauses.every((clause) => {
    return onlyFoodOf(reader.read(clause))?.amount.measure !== undefined;
  });
  return isWeighed ? clauses.map((clause) => reader.parse(clause)).reduce(withParts) : undefined;
}

/**
 * "It was chicken, rice and broccoli": replaces the line with several foods, or an unknown line
 * with any.
 */
const otherFoods: LineChange = (line, correction, reader) => {
  const said = correction.replace(IT_WAS, "");
  const isNone = reader.understand(line).foods.length === 0;
  const isOther = said !== correction && !ADDITION.test(said);
  if ((!isNone && !isOther) || NEGATION.test(said) || X_NOT_Y.test(said)) return undefined;
  const meant = reader.parse(isNone ? said.replace(ADDITION, "") : said);
  const { foods, unknown } = reader.understand(meant);
  const isClear = foods.every(({ match }) => match.score >= NAMED_SCORE) && unknown.length === 0;
  return isClear && foods.length > (isNone ? 0 : 1) ? meant : undefined;
};

/** Applies one clause of a correction: it replaces what the line says. */
const correctedBy: LineChange = (line, correction, reader) => {
  const said = correction
    .replace(IT_WAS, "")
    .replace(TRAILING, "")
    .replace(/[.!]+$/u, "")
    .trim();
  const [, wrong, right] = NOT_X_BUT_Y.exec(said) ?? [];
  const [, meant = right, denied = wrong] = X_NOT_Y.exec(said) ?? [];
  if (meant && denied) {
    return withWordsReplaced(line, { meant, denied }, reader) ?? correctedBy(line, meant, reader);
  }
  const isOfPart = [NEGATION, ADDITION, IN_IT].some((pattern) => pattern.test(said));
  if (isOfPart || isKind(said, reader)) {
    return withClause(line, said, reader) ?? withCount(line, said, reader);
  }
  return (
    withCount(line, said, reader) ??
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
  const part = line.parts.find(({ name }) => indexOfPhrase(name, wrong) !== -1);
  const at = part ? indexOfPhrase(part.name, wrong) : 0;
  return part && withName(line, part, part.name.toSpliced(at, wrong.length, ...right));
}

/** A description or a milk: another kind of the same food, not another food. */
function isKind(said: string, reader: LineReader): boolean {
  const words = wordsOf(reader.tokensOf(said));
  return words.length > 0 && (words.every(isDescription) || words.at(-1) === "milk");
}
