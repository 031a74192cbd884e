import { hasAmount } from "../composition/read-part.ts";
import type { LineReader } from "../line-reader.ts";
import { withAmount, withParts, wordsOfLine } from "../segmentation/parsed-line.ts";
import type { ParsedLine } from "../segmentation/parsed-line.ts";
import { isDescription } from "../text/name-words.ts";
import { wordsOf } from "../text/tokens.ts";
import { LISTS } from "../text/words.ts";
import { onlyFoodOf, withClauses } from "./line-change.ts";
import type { LineChange, RemarkedLine } from "./line-change.ts";
import { isNamedBy } from "./line-remarks.ts";
import { withAmountTold } from "./remark-amounts.ts";
import {
  isAddedUnasked,
  withAddition,
  withAll,
  withKind,
  withNameJoined,
  withoutCookingWater,
} from "./remark-foods.ts";

/** Maximum clauses of one text; later ones are ignored. */
const CLAUSES_MAX = 6;
/** Maximum words of a clause; longer ones are stories and are ignored. */
const CLAUSE_WORDS_MAX = 8;
const BETWEEN_CLAUSES =
  /[,;\n()]+|[.!](?:\s+|$)|\s+(?:and|but|&)\s+(?=(?:no|with|without|extra|added|plus|hold|also)\b)|\s+(?=(?:with|without|on|topped)\b)/iu;
/** "It was made with": words that say nothing about the food. */
const PREAMBLE =
  /^(?:(?:it|this|that|they|i|we|there|was|were|is|are|it's|its|on|had|have|has|ate|used|using|made|cooked|prepared|served|came|comes|just|really|actually|about|approximately|around|roughly|brand|note|forgot|missed|you|the|a|an|one|version|kind)\b[\s:]*)+/iu;
const NEGATION =
  /^(?:no|not|without|hold|holding|minus|skip|skipped|except|excluding|w\/o|sans|omit)\s+(?=\S)/iu;
const ADDITION =
  /^(?:and\s+)?(?:with|w\/|plus|extra|add|added|adding|also|topped with|on top)\s+(?=\S)/iu;
const MEDIUM = /^in\s/iu;
const ON_TOP = /\s+on (?:top|it|the side)$/iu;
const TRAILING = /\s+(?:version|kind|one|ones|weight|in total|in all|total)$/iu;

/** Splits details into clauses: "no bun, extra cheese". */
export function clausesOf(text: string): string[] {
  return text
    .split(BETWEEN_CLAUSES)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "")
    .slice(0, CLAUSES_MAX);
}

/**
 * Applies each clause of the details: removed or added foods, another milk or bread, a missing size
 * or amount, a preparation, a brand.
 */
export function lineWithDetails(
  line: ParsedLine,
  details: string,
  reader: LineReader,
): RemarkedLine {
  const clauses = clausesOf(details);
  const recipe = recipeOf(line, clauses, reader);
  if (recipe) return { line: recipe, unused: [] };
  const told = withClauses(line, clauses, withClause, reader);
  return { ...told, unused: told.unused.filter((clause) => !saysNothing(clause, reader)) };
}

/** "40 g oats, 300 ml milk" is the recipe of a porridge without an amount. */
function recipeOf(
  line: ParsedLine,
  clauses: readonly string[],
  reader: LineReader,
): ParsedLine | undefined {
  if (clauses.length < 2 || line.parts.some(hasAmount)) return undefined;
  const [first, ...rest] = clauses.map((clause) => reader.parse(clause));
  const isWeighed = clauses.every((clause) => {
    return onlyFoodOf(reader.read(clause))?.amount.measure !== undefined;
  });
  return first && isWeighed ? rest.reduce(withParts, first) : undefined;
}

/** Applies one clause to the line; undefined if it does not fit. */
export const withClause: LineChange = (line, clause, reader) => {
  if (clause.split(" ").length > CLAUSE_WORDS_MAX || reader.work.isSpent) return undefined;
  const said = clause.replace(PREAMBLE, "").replace(TRAILING, "").trim() || clause;
  if (said === "" || isRestated(line, said, reader)) return line;
  if (NEGATION.test(said)) return withNegation(line, said, reader);
  const added = said.replace(ADDITION, "").replace(ON_TOP, "");
  if (added !== said) return withAddition(line, added, reader);
  if (MEDIUM.test(said)) return withMedium(line, said, reader);
  return (
    withAmountTold(line, said, reader) ??
    withKind(line, said, reader) ??
    withRestated(line, said, reader) ??
    (isAddedUnasked(line, said, reader) ? withAddition(line, said, reader) : undefined)
  );
};

/** "Oats cooked in water" for oatmeal restates the food, with its amount and what goes with it. */
const withRestated: LineChange = (line, said, reader) => {
  const told = withoutCookingWater(reader.parse(said), reader);
  const [again, ...rest] = told.parts;
  const at = reader.understand(line).foods.findIndex(({ match }) => isNamedBy(match.food, again));
  const part = line.parts[at];
  if (!again || !part || reader.understand(told).unknown.length > 0) return undefined;
  const amounts = !hasAmount(part) && hasAmount(again);
  const own = amounts ? withAmount(line, part, again.amount) : line;
  return withParts(own, { ...told, parts: rest });
};

const withNegation: LineChange = (line, said, reader) => {
  const missing = reader.parse(said.replace(NEGATION, "no ")).leftOut;
  const next = { ...line, leftOut: [...line.leftOut, ...missing] };
  return reader.understand(next).foods.length > 0 ? next : undefined;
};

/** "In butter" for a steak, "in water" for tuna: the cooking or packing medium. */
const withMedium: LineChange = (line, said, reader) => {
  const next = withNameJoined(line, reader.tokensOf(said), reader) ?? withAll(line, said, reader);
  const { foods, unknown, mainUnknown } = reader.understand(next);
  return foods.length > 0 && !mainUnknown && unknown.length === 0 ? next : undefined;
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

export function namesFood(clause: string, reader: LineReader): boolean {
  return reader.read(clause.replace(PREAMBLE, "")).foods.length > 0;
}
