import type { Token } from "./tokens.ts";
import { findMeasure } from "./units.ts";

const NUMBERS: ReadonlyMap<string, number> = new Map([
  ["one", 1],
  ["two", 2],
  ["three", 3],
  ["four", 4],
  ["five", 5],
  ["six", 6],
  ["seven", 7],
  ["eight", 8],
  ["nine", 9],
  ["ten", 10],
  ["eleven", 11],
  ["twelve", 12],
  ["fifteen", 15],
  ["twenty", 20],
  ["couple", 2],
  ["pair", 2],
  ["few", 3],
  ["several", 4],
  ["dozen", 12],
]);

const FRACTIONS: ReadonlyMap<string, number> = new Map([
  ["half", 1 / 2],
  ["third", 1 / 3],
  ["quarter", 1 / 4],
]);

const ARTICLES: ReadonlySet<string> = new Set(["a", "an", "un", "une", "ein", "eine"]);

/**
 * Amounts in words become numbers: `half a`, `two and a half`, `a couple of`, `half a dozen`,
 * `three quarters`. What only sounds like one, such as `half and half`, stays words.
 */
export function readNumberWords(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  for (let at = 0; at < tokens.length;) {
    if (isHalfAndHalf(tokens, at)) {
      result.push(...tokens.slice(at, at + 3));
      at += 3;
      continue;
    }
    const amount = readAmount(tokens, at);
    const token = tokens[at];
    if (amount) result.push(amount.token);
    else if (token) result.push(token);
    at += amount?.length ?? 1;
  }
  return result;
}

/** The cream of that name, not an amount. */
function isHalfAndHalf(tokens: readonly Token[], at: number): boolean {
  return ["half", "and", "half"].every((word, offset) => wordAt(tokens, at + offset) === word);
}

interface Reading {
  token: Token;
  length: number;
}

function readAmount(tokens: readonly Token[], start: number): Reading | undefined {
  const first = readFraction(tokens, start) ?? readWhole(tokens, start);
  if (!first) return undefined;
  let { value, length } = first;
  const dozen = skipWords(tokens, start + length, ["a"]);
  if (value !== 12 && wordAt(tokens, dozen) === "dozen") {
    value *= 12;
    length = dozen - start + 1;
  }
  const and = start + length;
  if (wordAt(tokens, and) === "and") {
    const rest =
      readFraction(tokens, skipWords(tokens, and + 1, ["a", "one"])) ?? fractionAt(tokens, and + 1);
    if (rest) {
      const articles = skipWords(tokens, and + 1, ["a", "one"]) - and;
      return reading(value + rest.value, length + articles + rest.length);
    }
  }
  if (first.digits && length === first.length) return undefined;
  return reading(value, length);
}

function reading(value: number, length: number): Reading {
  return { token: { kind: "number", text: String(value), value }, length };
}

interface Value {
  value: number;
  length: number;
  /** Written in digits, so a number already. */
  digits?: boolean;
}

function readWhole(tokens: readonly Token[], at: number): Value | undefined {
  const token = tokens[at];
  if (token?.kind === "number") {
    // "1/2 an apple" is half of one.
    const isShare = token.value < 1 && wordIn(tokens, at + 1, ARTICLES);
    if (isShare) return { value: token.value, length: 2 };
    return { ...times(tokens, at + 1, token.value), digits: true };
  }
  const article = wordIn(tokens, at, ARTICLES) ? 1 : 0;
  const number = NUMBERS.get(wordAt(tokens, at + article) ?? "");
  if (number === undefined) return article === 1 ? { value: 1, length: 1 } : undefined;
  const value = times(tokens, at + article + 1, number);
  return { value: value.value, length: value.length + article };
}

/** `three quarters`, `2 thirds`: a count of fractions. */
function times(tokens: readonly Token[], at: number, count: number): Value {
  const fraction = FRACTIONS.get(wordAt(tokens, at) ?? "");
  const isCount = Number.isInteger(count) && count >= 2 && count <= 3;
  if (fraction === undefined || fraction === 1 / 2 || !isCount) return { value: count, length: 1 };
  return { value: count * fraction, length: 2 };
}

function readFraction(tokens: readonly Token[], start: number): Value | undefined {
  const article = wordIn(tokens, start, ARTICLES) || wordAt(tokens, start) === "one" ? 1 : 0;
  const at = start + article;
  const fraction = FRACTIONS.get(wordAt(tokens, at) ?? "");
  const next = wordAt(tokens, at + 1);
  if (fraction === undefined || next === "pounder" || next === "and") return undefined;
  if (article === 0 && isPiece(tokens, at)) return undefined;
  const end = skipWords(tokens, at + 1, ["of", "a", "an", "the"]);
  return { value: fraction, length: end - start };
}

/** "1 grapefruit half", "peach halves", "2 half peaches": a half that is counted is a piece. */
function isPiece(tokens: readonly Token[], at: number): boolean {
  const [before, token, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (before?.kind === "number") return after?.kind === "word" && !findMeasure(after.text, false);
  const isPlural = token?.kind === "word" && token.isPlural === true;
  return before?.kind === "word" && (isPlural || after === undefined || after.kind === "mark");
}

function fractionAt(tokens: readonly Token[], at: number): Value | undefined {
  const token = tokens[at];
  if (token?.kind !== "number" || token.value >= 1) return undefined;
  return { value: token.value, length: 1 };
}

function skipWords(tokens: readonly Token[], start: number, words: readonly string[]): number {
  let at = start;
  while (words.includes(wordAt(tokens, at) ?? "")) at += 1;
  return at;
}

function wordIn(tokens: readonly Token[], at: number, words: ReadonlySet<string>): boolean {
  return words.has(wordAt(tokens, at) ?? "");
}

function wordAt(tokens: readonly Token[], at: number): string | undefined {
  const token = tokens[at];
  return token?.kind === "word" ? token.text : undefined;
}
