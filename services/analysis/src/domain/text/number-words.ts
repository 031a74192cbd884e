import numbers from "../../../foods/words/numbers.json" with { type: "json" };
import type { Token, Tokens } from "./tokens.ts";
import { findMeasure } from "./units.ts";

const NUMBERS: ReadonlyMap<string, number> = new Map(Object.entries(numbers.numbers));
const FRACTIONS: ReadonlyMap<string, number> = new Map(Object.entries(numbers.fractions));
const ARTICLES: ReadonlySet<string> = new Set(["a", "an", "un", "une", "ein", "eine"]);

/**
 * Replaces number words by numbers: `half a`, `two and a half`, `a couple of`, `half a dozen`,
 * `three quarters`; not in names such as `half and half`.
 */
export function readNumberWords(tokens: Tokens): Token[] {
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

/** The cream, not an amount. */
function isHalfAndHalf(tokens: Tokens, at: number): boolean {
  return ["half", "and", "half"].every((word, offset) => wordAt(tokens, at + offset) === word);
}

interface Reading {
  token: Token;
  length: number;
}

function readAmount(tokens: Tokens, start: number): Reading | undefined {
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
  /** Whether it was written in digits. */
  digits?: boolean;
}

function readWhole(tokens: Tokens, at: number): Value | undefined {
  const token = tokens[at];
  if (token?.kind === "number") {
    // "1/2 an apple" is half of one.
    const isShare = token.value < 1 && wordIn(tokens, at + 1, ARTICLES);
    if (isShare) return { value: token.value, length: 2 };
    return { ...times(tokens, at + 1, token.value), digits: true };
  }
  const article = wordIn(tokens, at, ARTICLES) ? 1 : 0;
  const number = numberAt(tokens, at + article);
  if (!number) return article === 1 ? { value: 1, length: 1 } : undefined;
  const start = at + article + number.length;
  const value = times(tokens, start, number.value);
  return { value: value.value, length: start - at + value.length - 1 };
}

/** `twelve`, `twenty five`, `hundred`, `two hundred and fifty`. */
function numberAt(tokens: Tokens, at: number): Value | undefined {
  const tens = belowHundred(tokens, at);
  const hundred = at + (tens?.length ?? 0);
  if (wordAt(tokens, hundred) !== "hundred") return tens;
  const value = 100 * (tens?.value ?? 1);
  const rest = belowHundred(tokens, skipWords(tokens, hundred + 1, ["and"]));
  if (!rest) return { value, length: hundred + 1 - at };
  const end = skipWords(tokens, hundred + 1, ["and"]) + rest.length;
  return { value: value + rest.value, length: end - at };
}

function belowHundred(tokens: Tokens, at: number): Value | undefined {
  const value = NUMBERS.get(wordAt(tokens, at) ?? "");
  if (value === undefined) return undefined;
  const unit = value >= 20 ? (NUMBERS.get(wordAt(tokens, at + 1) ?? "") ?? 10) : 10;
  return unit < 10 ? { value: value + unit, length: 2 } : { value, length: 1 };
}

/** A count of fractions: `three quarters`, `2 thirds`. */
function times(tokens: Tokens, at: number, count: number): Value {
  const fraction = FRACTIONS.get(wordAt(tokens, at) ?? "");
  const isCount = Number.isInteger(count) && count >= 2 && count <= 3;
  if (fraction === undefined || fraction === 1 / 2 || !isCount) return { value: count, length: 1 };
  return { value: count * fraction, length: 2 };
}

function readFraction(tokens: Tokens, start: number): Value | undefined {
  const article = wordIn(tokens, start, ARTICLES) || wordAt(tokens, start) === "one" ? 1 : 0;
  const at = start + article;
  const fraction = FRACTIONS.get(wordAt(tokens, at) ?? "");
  const next = wordAt(tokens, at + 1);
  if (fraction === undefined || next === "pounder" || next === "and") return undefined;
  if (article === 0 && isPiece(tokens, at)) return undefined;
  const end = skipWords(tokens, at + 1, ["of", "a", "an", "the"]);
  return { value: fraction, length: end - start };
}

/** A counted half is a piece: "1 grapefruit half", "peach halves", "2 half peaches". */
function isPiece(tokens: Tokens, at: number): boolean {
  const [before, token, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (before?.kind === "number") return after?.kind === "word" && !findMeasure(after.text, false);
  const isPlural = token?.kind === "word" && token.isPlural === true;
  return before?.kind === "word" && (isPlural || after === undefined || after.kind === "mark");
}

function fractionAt(tokens: Tokens, at: number): Value | undefined {
  const token = tokens[at];
  if (token?.kind !== "number" || token.value >= 1) return undefined;
  return { value: token.value, length: 1 };
}

function skipWords(tokens: Tokens, start: number, words: readonly string[]): number {
  let at = start;
  while (words.includes(wordAt(tokens, at) ?? "")) at += 1;
  return at;
}

function wordIn(tokens: Tokens, at: number, words: ReadonlySet<string>): boolean {
  return words.has(wordAt(tokens, at) ?? "");
}

function wordAt(tokens: Tokens, at: number): string | undefined {
  const token = tokens[at];
  return token?.kind === "word" ? token.text : undefined;
}
