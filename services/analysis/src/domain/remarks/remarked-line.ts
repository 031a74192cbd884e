import type { LineReader } from "../line-reader.ts";
import { indexOfPhrase, withName, wordsOfLine, withParts } from "../segmentation/parsed-line.ts";
import type { ParsedLine } from "../segmentation/parsed-line.ts";
import { hasAmount } from "../segmentation/amount.ts";
import { isDescription } from "../text/vocabulary.ts";
import { wordsOf } from "../text/tokens.ts";
import { LISTS, PHRASES } from "../text/words.ts";
import {
  NAMED_SCORE,
  onlyFoodOf,
  withAddition,
  withAmountTold,
  withKind,
  withNegation,
  withOtherAmount,
  withOtherFood,
  withRestated,
  withUnaskedAddition,
} from "./line-changes.ts";
import type { LineChange } from "./line-changes.ts";
import { readRelativeAmount } from "./line-remarks.ts";

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

/** Maximum clauses of one text, and words of a clause; the rest are stories and ignored. */
const CLAUSES_MAX = 6;
const CLAUSE_WORDS_MAX = 8;
/** Maximum words of a remark that is searched for foods; longer ones are stories. */
const FOODS_WORDS_MAX = 40;

/**
 * Applies details and correction to the line: another food ("it was brown rice", "chicken, not
 * beef"), another amount ("it was two", "only half of that"), an added or removed part, or a
 * missing specification.
 */
export function lineAsRemarked(remarks: LineRemarks, reader: LineReader): RemarkedLine {
  const { line, unused: unusedDetails } = withDetails(remarks, reader);
  const correction = remarks.correction.replace(PHRASES.objection, "").trim();
  const factor = readRelativeAmount(correction);
  const isShare = factor !== undefined;
  const foods = isShare ? undefined : otherFoods(line, correction, reader);
  const isWhole = isShare || foods !== undefined;
  const clauses = PHRASES.instead.test(correction) ? [correction] : clausesOf(correction);
  const told = withClauses(foods ?? line, isWhole ? [] : clauses, correctedBy, reader);
  return {
    line: told.line,
    factor: factor ?? 1,
    unusedDetails,
    unusedCorrection: told.unused,
  };
}

/** If the line names no food, only the details can. */
function withDetails({ line: text, details }: LineRemarks, reader: LineReader) {
  const line = reader.parse(text);
  if (details === "") return { line, unused: [] };
  if (reader.understand(line).foods.length === 0) {
    if (!mayNameFoods(details)) return { line, unused: [] };
    const { foods, unknown } = reader.read(details);
    const isRead = foods.length > unknown.length;
    return isRead ? { line: reader.parse(details), unused: [text] } : { line, unused: [] };
  }
  const clauses = clausesOf(details);
  const recipe = recipeOf(line, clauses, reader);
  return recipe ? { line: recipe, unused: [] } : withClauses(line, clauses, withClause, reader);
}

/** "40 g oats, 300 ml milk" is the recipe of a porridge without an amount. */
function recipeOf(line: ParsedLine, clauses: readonly string[], reader: LineReader) {
  const isWeighed = (clause: string) => onlyFoodOf(reader.read(clause))?.amount.measure;
  if (clauses.length < 2 || line.parts.some(hasAmount) || !clauses.every(isWeighed))
    return undefined;
  return clauses.map((clause) => reader.parse(clause)).reduce(withParts);
}

/** "It was chicken, rice and broccoli" replaces the line; a single food only replaces an unknown line. */
const otherFoods: LineChange = (line, correction, reader) => {
  const said = correction.replace(PHRASES.preamble, "");
  const isNone = reader.understand(line).foods.length === 0;
  const isOfPart = PHRASES.negation.test(said) || (!isNone && PHRASES.addition.test(said));
  if (isOfPart || PHRASES.instead.test(said) || !mayNameFoods(said)) return undefined;
  const meant = reader.parse(said.replace(PHRASES.addition, ""));
  const { foods, unknown } = reader.understand(meant);
  const isClear = foods.every(({ match }) => match.score >= NAMED_SCORE) && unknown.length === 0;
  return isClear && foods.length > (isNone ? 0 : 1) ? meant : undefined;
};

const mayNameFoods = (text: string) => text.split(" ").length <= FOODS_WORDS_MAX;

/** Splits a text into clauses: "no bun, extra cheese". */
function clausesOf(text: string): string[] {
  const clauses = text.split(PHRASES.betweenClauses).map((clause) => clause.trim());
  return clauses.filter((clause) => clause !== "").slice(0, CLAUSES_MAX);
}

/** Applies the change clause by clause. `unused` are clauses with content that did not fit. */
function withClauses(
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
    const isEmpty = (word: string) =>
      LISTS.remarksOfNothing.has(word) || isDescription(word) || word === "1";
    return next === undefined && !wordsOf(reader.tokensOf(clause)).every(isEmpty);
  });
  return { line: told, unused };
}

/** Applies one clause of the details: it adds to what the line says. */
const withClause: LineChange = (line, clause, reader) => {
  const said =
    clause
      .replace(PHRASES.preamble, "")
      .replace(PHRASES.article, "")
      .replace(PHRASES.trailing, "")
      .trim() || clause;
  const known = wordsOfLine(line);
  const isKnown = (word: string) => known.has(word) || LISTS.remarksOfNothing.has(word);
  if (wordsOf(reader.tokensOf(said)).every(isKnown)) return line;
  const part = said.replace(PHRASES.inIt, "");
  if (PHRASES.negation.test(part))
    return withNegation(line, part.replace(PHRASES.negation, ""), reader);
  const added = part.replace(PHRASES.addition, "");
  if (added !== said) return withAddition(line, added, reader);
  if (PHRASES.medium.test(said)) {
    return withKind(line, said, reader) ?? withAddition(line, said, reader);
  }
  return (
    withAmountTold(line, said, reader) ??
    withKind(line, said, reader) ??
    withRestated(line, said, reader) ??
    withUnaskedAddition(line, said, reader)
  );
};

/** Applies one clause of a correction: it replaces what the line says. */
const correctedBy: LineChange = (line, correction, reader) => {
  const said = correction.replace(PHRASES.preamble, "").replace(PHRASES.trailing, "").trim();
  const { not, but, meant = but, denied = not } = PHRASES.instead.exec(said)?.groups ?? {};
  if (meant && denied) {
    // "Chicken, not beef" for a part whose name contains beef.
    const [wrong, right] = [reader.tokensOf(denied), reader.tokensOf(meant)];
    const part = line.parts.find(({ name }) => indexOfPhrase(name, wrong) !== -1);
    const at = part ? indexOfPhrase(part.name, wrong) : 0;
    const name = part?.name.toSpliced(at, wrong.length, ...right);
    return part && name ? withName(line, part, name) : correctedBy(line, meant, reader);
  }
  const ofPart = [PHRASES.negation, PHRASES.addition, PHRASES.inIt];
  const isOfPart = ofPart.some((pattern) => pattern.test(said));
  // Another description or milk makes it a variant of the food, not another food.
  const words = wordsOf(reader.tokensOf(said));
  const isKind = words.length > 0 && (words.every(isDescription) || words.at(-1) === "milk");
  const isOther = !isOfPart && !isKind;
  const other = isOther
    ? (withOtherAmount(line, said, reader) ?? withOtherFood(line, said, reader))
    : undefined;
  return other ?? withClause(line, said, reader) ?? withOtherAmount(line, said, reader);
};

/** Whether a clause names a food. */
export function namesFood(clause: string, reader: LineReader): boolean {
  const said = clause.replace(PHRASES.preamble, "");
  return mayNameFoods(said) && reader.read(said).foods.length > 0;
}
