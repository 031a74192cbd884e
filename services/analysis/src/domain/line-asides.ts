import { isWord } from "./tokens.ts";
import type { Token } from "./tokens.ts";

/** Whether a phrase, without its amount, is a name of a food. */
export type IsName = (tokens: readonly Token[]) => boolean;

/** The words of a text as a set. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Words before what a food is eaten with. */
export const WITH = words("with topped in containing including");
/** Words before another food. */
export const AND = words("and plus und");
/** Words before what a food is eaten on. */
export const ON = words("on over onto");
const NEGATIONS = words("without no minus hold excluding except skip not");
const OR = words("or");
const PLACES = words("from at by");
const MEALS = words("breakfast lunch dinner supper snack brunch");
const FOR_OR_AT = words("for at");
const PREAMBLE = words(
  "for at my i we had have ate eat eaten drank drink drunk having got ordered today yesterday this morning afternoon evening tonight just also then was were as early late me today about approximately around roughly some another logged log add",
);
const WHENS = words("today yesterday tonight this morning afternoon evening earlier later now");
/** Parts of a food that lines mention and whose figures the food has already: "with skin". */
const OWN_PARTS = words("skin bone shell peel crust rind stone pit ice rock");
const BEFORE_PARTS = words("with without no on the");
const PART_STATES = words("on off removed eaten included discarded");

/**
 * A line without what is not eaten: a heading, when and where it was, parts such as "with skin", what
 * the line says is missing ("without sugar", "no butter"), and the second of two alternatives.
 */
export function withoutAsides(tokens: readonly Token[], isName: IsName): readonly Token[] {
  if (isName(tokens)) return tokens;
  const said = withoutIngredients(withoutHeading(tokens));
  const eaten = withoutOwnParts(withoutPreamble(said, isName));
  return withoutPlaces(withoutNegations(eaten, isName), isName);
}

/** Without "sushi:" before a list with amounts. */
function withoutHeading(tokens: readonly Token[]): readonly Token[] {
  const colon = tokens.findIndex((token) => isMark(token, ":"));
  const heads = colon > 0 && tokens[colon + 1]?.kind === "number";
  return heads && tokens.slice(0, colon).every(({ kind }) => kind === "word")
    ? tokens.slice(colon + 1)
    : tokens;
}

/** Without a list in brackets that names no amounts: the ingredients of a food are in its figures. */
function withoutIngredients(tokens: readonly Token[]): readonly Token[] {
  const start = tokens.findIndex((token) => isMark(token, "("));
  const end = tokens.findIndex((token, at) => at > start && isMark(token, ")"));
  const inside = tokens.slice(start + 1, end);
  const isList = start > 0 && inside.some((token) => isMark(token, ","));
  if (!isList || inside.some(({ kind }) => kind === "number")) return tokens;
  return [...tokens.slice(0, start), ...tokens.slice(end + 1)];
}

function isMark(token: Token, text: string): boolean {
  return token.kind === "mark" && token.text === text;
}

/** Without "with skin", "bone removed" and the like. */
function withoutOwnParts(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  let after = false;
  for (const token of tokens) {
    const isPart = isWord(token, OWN_PARTS) && kept.length > 0;
    if (isPart) dropTrailing(kept, BEFORE_PARTS);
    else if (!(after && isWord(token, PART_STATES))) kept.push(token);
    after = isPart;
  }
  return kept;
}

function dropTrailing(tokens: Token[], words: ReadonlySet<string>): void {
  while (tokens.length > 1 && isWord(tokens.at(-1), words)) tokens.pop();
}

/** Without "for breakfast I had", "lunch:" and the like. */
function withoutPreamble(tokens: readonly Token[], isName: IsName): readonly Token[] {
  let start = 0;
  while (start < tokens.length - 1 && !isName(tokens.slice(start))) {
    const [token, next] = [tokens[start], tokens[start + 1]];
    const isMeal = isWord(token, MEALS) && (start > 0 || next?.kind === "mark");
    if (token?.kind !== "mark" && !isMeal && !isWord(token, PREAMBLE)) break;
    start += 1;
  }
  let end = tokens.length;
  while (end > start + 1 && isWord(tokens[end - 1], WHENS)) end -= 1;
  const meal = isWord(tokens[end - 1], MEALS) && isWord(tokens[end - 2], FOR_OR_AT);
  return tokens.slice(start, meal ? end - 2 : end);
}

/** Without what the line says is missing, and without the second of two alternatives. */
function withoutNegations(tokens: readonly Token[], isName: IsName): Token[] {
  const kept: Token[] = [];
  let leavingOut = false;
  tokens.forEach((token, at) => {
    const rest = tokens.slice(at + 1);
    const begins = isWord(token, NEGATIONS) || (isWord(token, OR) && kept.length > 0);
    if (begins && !isName([...kept, ...tokens.slice(at)])) leavingOut = true;
    else if (leavingOut && endsNegation(token, rest)) leavingOut = false;
    if (!leavingOut) kept.push(token);
  });
  return kept;
}

/** "and", "with" or a comma before a new amount or another "with". */
function endsNegation(token: Token, rest: readonly Token[]): boolean {
  if (token.kind === "mark" || isWord(token, WITH) || isWord(token, ON)) return true;
  return isWord(token, AND) && rest[0]?.kind === "number";
}

/** Without "from the corner shop": names of places and brands are no food. */
function withoutPlaces(tokens: readonly Token[], isName: IsName): readonly Token[] {
  if (isName(tokens)) return tokens;
  const kept: Token[] = [];
  let leavingOut = false;
  for (const token of tokens) {
    if (isWord(token, PLACES) && kept.length > 0) leavingOut = true;
    else if (token.kind === "mark" || isWord(token, WITH) || isWord(token, AND)) leavingOut = false;
    if (!leavingOut) kept.push(token);
  }
  return kept;
}
