import { foldWords } from "./food-words.ts";
import { compilePattern } from "./patterns.ts";
import { spellOut } from "./written-forms.ts";
import { LISTS, respell, singular } from "./words.ts";

interface WordToken {
  readonly kind: "word";
  readonly text: string;
  /** Whether it was written in the plural. */
  readonly isPlural?: true;
  /** Whether it was written as a proper name: "Jamie's", or capitalized within the line. */
  readonly isName?: true;
  /** Whether it is a word of another language that could not be translated. */
  readonly isForeign?: true;
}

/** A token of a journal line. */
export type Token =
  | WordToken
  /** `text` as written, for names such as `7 up`. */
  | { readonly kind: "number"; readonly text: string; readonly value: number }
  /** A comma, bracket, colon or the like: a boundary for phrases. */
  | { readonly kind: "mark"; readonly text: string };

/** A line, or a part of it. */
export type Tokens = readonly Token[];

/** Maximum tokens of a line; the rest is ignored. */
export const TOKENS_MAX = 120;

const DECIMAL = String.raw`(?:\d{1,9}(?:[.,]\d{1,9})?|[.,]\d{1,9})`;
const AMOUNT = String.raw`(?:\d{1,4} +\d{1,3}\/\d{1,3}|\d{1,4}\/\d{1,3}|${DECIMAL})`;
const PIECE = compilePattern(
  [
    // Ten or more digits are not an amount.
    String.raw`(?<long>\d{10,})`,
    String.raw`(?<percent>${DECIMAL}) ?%`,
    String.raw`(?<low>${AMOUNT}) *(?:-|to(?= )) *(?<high>${AMOUNT})(?![\d/])`,
    `(?<number>${AMOUNT})`,
    String.raw`(?<word>\p{L}+)`,
    String.raw`(?<mark>[,;:.!?()\[\]{}|])`,
  ].join("|"),
  "gu",
);

// Most names: tokenizing them without the general pattern halves the start-up time.
const PLAIN_WORDS = compilePattern(
  String.raw`^(?!.*\b(?:${[...LISTS.inForms].join("|")})\b)[a-z]+(?: [a-z]+)*$`,
  "",
);

/** Splits a line into tokens: lower case, no accents, in the singular and the table's spelling. */
export function tokenize(line: string): Token[] {
  if (PLAIN_WORDS.test(line)) return wordTokens(line.split(" ", TOKENS_MAX));
  const tokens: Token[] = [];
  let words: string[] = [];
  const names = namesIn(line);
  const flush = () => {
    tokens.push(...wordTokens(words, names));
    words = [];
  };
  for (const match of normalize(line).matchAll(PIECE)) {
    if (tokens.length + words.length >= TOKENS_MAX) break;
    const { percent, low, high, number, word, mark = "" } = match.groups ?? {};
    if (word !== undefined) {
      words.push(word);
      continue;
    }
    flush();
    if (percent !== undefined) tokens.push({ kind: "word", text: `${numberOf(percent)}%` });
    else if (low !== undefined && high !== undefined) {
      const value = (numberOf(low) + numberOf(high)) / 2;
      tokens.push({ kind: "number", text: `${low}-${high}`, value });
    } else if (number !== undefined)
      tokens.push({ kind: "number", text: number, value: numberOf(number) });
    else tokens.push({ kind: "mark", text: mark || "," });
  }
  flush();
  return tokens;
}

const CAPITALIZED = /(?<=[\s(])\p{Lu}\p{Ll}+/gu;
const POSSESSIVE = /(?<!\p{L})\p{L}+(?=['’]s?(?!\p{L}))/gu;

/** The proper names of a line, normalized. */
function namesIn(line: string): ReadonlySet<string> {
  const firstSmall = line.search(/\p{Ll}/u);
  const capitalized = [...line.matchAll(CAPITALIZED)].filter(({ index }) => index > firstSmall);
  const written = [...capitalized.map(([name]) => name), ...(line.match(POSSESSIVE) ?? [])];
  const names = written.map(foldWords);
  return new Set(names.flatMap((name) => [singular(name), singular(`${name}s`)]));
}

function wordTokens(words: readonly string[], names?: ReadonlySet<string>): WordToken[] {
  const singulars = words.map(singular);
  const plurals = new Set(singulars.filter((text, at) => text !== words[at]));
  return respell(singulars).map((text) => ({
    kind: "word",
    text,
    ...(plurals.has(text) && { isPlural: true }),
    ...(names?.has(text) && { isName: true }),
  }));
}

function normalize(line: string): string {
  const plain = line
    // "1½" becomes 1 1/2.
    .replace(/\p{No}/gu, " $&")
    .normalize("NFKD")
    .replace(/[⁄∕]/gu, "/")
    .replace(/\p{M}/gu, "");
  return spellOut(plain)
    .replace(/['’`´]/gu, "")
    .replace(/[\u2012-\u2015\u2212]/gu, "-");
}

/** Parses `1`, `1.5`, `1,5`, `1,000`, `.5`, `3/4` or `1 3/4`; `3/0` yields its numerator. */
function numberOf(text: string): number {
  const fraction = /^(?:(\d+) +)?(\d+)\/(\d+)$/.exec(text);
  if (fraction) {
    const [whole, top, bottom] = [fraction[1] ?? 0, fraction[2], fraction[3]].map(Number);
    return (whole ?? 0) + (top ?? 0) / (bottom || 1);
  }
  // A comma before exactly three digits groups thousands; any other is a decimal comma.
  const plain = /^[1-9]\d{0,2},\d{3}$/.test(text) ? text.replace(",", "") : text.replace(",", ".");
  return Number(plain);
}

/** The words and numbers joined to a phrase, for looking up a name. */
export function phraseOf(tokens: Tokens): string {
  return wordsOf(tokens).join(" ");
}

/** The words, and the numbers as written. */
export function wordsOf(tokens: Tokens): string[] {
  return tokens.filter(({ kind }) => kind !== "mark").map(({ text }) => text);
}

/** The word at a position; empty for anything else. */
export function wordAt(tokens: Tokens, at: number): string {
  const token = tokens[at];
  return token?.kind === "word" ? token.text : "";
}

/** Whether the token is a word of one of the lists. */
export function isWord(token: Token | undefined, ...lists: ReadonlySet<string>[]): boolean {
  return token?.kind === "word" && lists.some((words) => words.has(token.text));
}
