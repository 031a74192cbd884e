import type { FoundFood } from "../composition/read-part.ts";
import type { LineReader, LineReading } from "../line-reader.ts";
import { isDescription } from "../text/name-words.ts";
import { hasAmount } from "../composition/read-part.ts";
import { NAMED_SCORE, namesOneFood, withAmount, withAmountOfPart } from "./remark-amounts.ts";
import { wordsOf } from "../text/tokens.ts";
import { wordList } from "../text/words.ts";

/** Most clauses of one text; what follows is left out. */
const CLAUSES_MAX = 6;
/** A clause of more words is a story, and a line of more characters a menu: neither is read on. */
const CLAUSE_WORDS_MAX = 8;
const LINE_CHARACTERS_MAX = 160;
/** Least score of another kind of the food: its usual name described by one telling word. */
const KIND_SCORE = 0.84;
const BETWEEN_CLAUSES =
  /[,;\n()]+|[.!](?:\s+|$)|\s+(?:and|but|&)\s+(?=(?:no|with|without|extra|added|plus|hold|also)\b)|\s+(?=(?:with|without|on|topped)\b)/iu;
/** "It was made with": what says nothing about the food. */
const PREAMBLE =
  /^(?:(?:it|this|that|they|i|we|there|was|were|is|are|it's|its|on|had|have|has|ate|used|using|made|cooked|prepared|served|came|comes|just|really|actually|about|approximately|around|roughly|brand|note|forgot|missed|you|the|a|an|one|version|kind)\b[\s:]*)+/iu;
const NEGATION =
  /^(?:no|not|without|hold|holding|minus|skip|skipped|except|excluding|w\/o|sans|omit)\s+(?=\S)/iu;
const ADDITION =
  /^(?:and\s+)?(?:with|w\/|plus|extra|add|added|adding|also|topped with|on top)\s+(?=\S)/iu;
const MEDIUM = /^in\s/iu;
const ON_TOP = /\s+on (?:top|it|the side)$/iu;
const TRAILING = /\s+(?:version|kind|one|ones|weight|in total|in all|total)$/iu;
/** What says nothing that an estimate could use. */
const NOTHING = wordList("remarksOfNothing");

/** A line with what could be used of a text about it. */
export interface RemarkedLine {
  readonly line: string;
  /** Clauses that could not be used and say something. */
  readonly unused: readonly string[];
}

/** What people say of a line in so many clauses: "no bun, extra cheese". */
export function clausesOf(text: string): string[] {
  return text
    .split(BETWEEN_CLAUSES)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "")
    .slice(0, CLAUSES_MAX);
}

/**
 * The line with each clause of the details read as more words of it: what is left out or added,
 * another milk or bread, a size or an amount that the line lacks, how it was prepared, who makes it.
 */
export function lineWithDetails(line: string, details: string, reader: LineReader): RemarkedLine {
  const recipe = recipeOf(line, details, reader);
  if (recipe) return { line: recipe, unused: [] };
  let told = line;
  const unused: string[] = [];
  for (const clause of clausesOf(details)) {
    const next = withClause(told, clause, reader);
    if (next !== undefined) told = next;
    else if (!saysNothing(clause, reader)) unused.push(clause);
  }
  return { line: told, unused };
}

/** "40 g oats, 300 ml milk" of a porridge without an amount is the porridge. */
function recipeOf(line: string, details: string, reader: LineReader): string | undefined {
  if (details.length > LINE_CHARACTERS_MAX || hasAmount(reader.quantify(line))) return undefined;
  const clauses = clausesOf(details);
  const isWeighed = clauses.every((clause) => {
    const { foods, unknown } = reader.read(clause);
    const isNamed = foods.length === 1 && unknown.length === 0;
    return isNamed && foods.every(({ amount }) => amount.measure !== undefined);
  });
  return clauses.length > 1 && isWeighed ? clauses.join(" and ") : undefined;
}

/** The line with one clause read as words of it; undefined when it cannot be. */
export function withClause(line: string, clause: string, reader: LineReader): string | undefined {
  const isLong = clause.split(" ").length > CLAUSE_WORDS_MAX;
  if (isLong || line.length > LINE_CHARACTERS_MAX || reader.work.isSpent) return undefined;
  const said = clause.replace(PREAMBLE, "").replace(TRAILING, "").trim() || clause;
  if (said === "" || isRestated(line, said, reader)) return line;
  if (NEGATION.test(said)) return withNegation(line, said, reader);
  const added = said.replace(ADDITION, "").replace(ON_TOP, "");
  if (added !== said) return withAddition(line, added, reader);
  if (MEDIUM.test(said)) return withMedium(line, said, reader);
  return (
    withAmountOfPart(line, said, reader) ??
    withAmount(line, said, reader) ??
    withKind(line, said, reader) ??
    (isAddedUnasked(line, said, reader) ? withAddition(line, said, reader) : undefined)
  );
}

function withNegation(line: string, said: string, reader: LineReader): string | undefined {
  const next = `${line} ${said.replace(/^(?:hold|holding|skip|skipped|not|w\/o)\b/iu, "no")}`;
  const { foods, unknown } = reader.read(next);
  const before = reader.read(line);
  return foods.length > 0 && unknown.length <= before.unknown.length ? next : undefined;
}

/** "In butter" of a steak, "in water" of tuna: what it was cooked or packed in. */
function withMedium(line: string, said: string, reader: LineReader): string | undefined {
  const { foods, unknown, mainUnknown } = reader.read(`${line} ${said}`);
  const isRead = foods.length > 0 && !mainUnknown && unknown.length === 0;
  return isRead ? `${line} ${said}` : undefined;
}

function withAddition(line: string, added: string, reader: LineReader): string | undefined {
  const [before, next] = [reader.read(line), `${line} with ${added}`];
  const after = reader.read(next);
  const isRead = after.unknown.length <= before.unknown.length && !after.mainUnknown;
  const isChanged = after.foods.some((found) => !before.foods.some((own) => isAlike(own, found)));
  return isRead && isChanged && after.foods.length > 0 ? next : undefined;
}

function isAlike(one: FoundFood, other: FoundFood): boolean {
  return one.match.food.name === other.match.food.name && one.weight.grams === other.weight.grams;
}

/** Another kind of the line's one food: "oat milk", "wholemeal", "fried", "Heinz". */
function withKind(line: string, said: string, reader: LineReader): string | undefined {
  const before = reader.read(line);
  const { amount } = reader.quantify(said);
  const isAmount = amount.counted || amount.measure !== undefined;
  if (before.foods.length > 1 || (isAmount && !isBare(line, said, reader))) return undefined;
  // "Caesar salad" of "salad" says it again.
  const again = isRestated(said, line, reader) ? [said] : [];
  for (const next of [...again, `${said} ${line}`, `${line} ${said}`, `${line} with ${said}`]) {
    const isAdded = next.endsWith(`with ${said}`);
    if (isAdded && !/\bmilk$/iu.test(said)) continue;
    if (isOneClearFood(reader.read(next), said, reader)) return next;
  }
  return undefined;
}

/** Whether "2 scoops vanilla" says how much of the line there is: no food itself, and no drink's. */
function isBare(line: string, said: string, reader: LineReader): boolean {
  const [main] = reader.read(line).foods;
  const isOpen = main?.match.food.kind === "food" && !hasAmount(reader.quantify(line));
  return isOpen && !namesOneFood(said, reader);
}

/** Whether a reading is one food that the words of the clause are used for. */
function isOneClearFood(reading: LineReading, said: string, reader: LineReader): boolean {
  const [found, ...others] = reading.foods;
  if (!found || reading.unknown.length > 0) return false;
  const clause = wordsOf(reader.tokensOf(said));
  const read = found.text.split(" ");
  const isUsed = clause.every(
    (word) => isDescription(word) || (read.includes(word) && !found.match.unmatched.includes(word)),
  );
  // "Fried" brings the oil that it was fried in.
  const isAlone = others.every(({ weight }) => weight.assumption?.endsWith("for frying"));
  return isAlone && isUsed && found.match.score >= KIND_SCORE;
}

/** "2 sugars" of a coffee, "30 g feta" of a salad, "butter" of toast: plainly eaten with it. */
function isAddedUnasked(line: string, said: string, reader: LineReader): boolean {
  const { foods, unknown } = reader.read(said);
  const [main] = reader.read(line).foods;
  if (!main || foods.length === 0 || unknown.length > 0) return false;
  if (foods.some(({ match }) => match.score < NAMED_SCORE)) return false;
  const isDrink = main.match.food.kind !== "food";
  const takesAny = isDrink || main.match.food.group === "bakery";
  return foods.every(({ match, amount }) => {
    const isMeasured = amount.counted || amount.measure !== undefined;
    const goesOn = match.food.portions.has(isDrink ? "splash" : "topping");
    return isMeasured || (goesOn && (takesAny || match.food.group === "fats-sauces"));
  });
}

function isRestated(line: string, said: string, reader: LineReader): boolean {
  const known = wordsOf(reader.tokensOf(line));
  return wordsOf(reader.tokensOf(said)).every((word) => known.includes(word) || NOTHING.has(word));
}

function saysNothing(clause: string, reader: LineReader): boolean {
  return wordsOf(reader.tokensOf(clause)).every(
    (word) => NOTHING.has(word) || isDescription(word) || word === "1",
  );
}

/** Whether a clause names a food. */
export function namesFood(clause: string, reader: LineReader): boolean {
  return reader.read(clause.replace(PREAMBLE, "")).foods.length > 0;
}
