import { phraseOf, type Tokens, wordsOf } from "../text/tokens.ts";
import type { Amount } from "./amount.ts";

/** Relation of a food to the foods before it in the line. */
export type Role =
  /** A food of its own. */
  | "main"
  /** Eaten with the main food: after "with". */
  | "addition"
  /** Eaten beside the main food: after "and", "plus" or a comma. */
  | "companion";

/** One food of a line, as it was written. */
export interface LinePart {
  readonly role: Role;
  /** Whether the main food was cooked or packed in it, or it is in brackets. */
  readonly isMedium: boolean;
  readonly tokens: Tokens;
  /** Whether words beside a known name turn it into another food: "dragon steak", "grunkle soup". */
  readonly isRenamed?: boolean;
}

/** A food of a line with its amount, before look-up. */
export interface SaidPart extends LinePart {
  readonly amount: Amount;
  /** The food's name. */
  readonly name: Tokens;
}

/** A parsed line. Details and corrections change this structure, never the text. */
export interface ParsedLine {
  readonly tokens: Tokens;
  readonly parts: readonly SaidPart[];
  /** Missing parts: `bun` of "a burger without the bun". */
  readonly leftOut: readonly string[];
  /** Whether it is running text instead of a list of foods. */
  readonly isText: boolean;
  /** Whether it is a recipe ingredient. */
  readonly isRecipe: boolean;
  /** Number of words that may name food and belong to no part. */
  readonly unread: number;
}

/** The words of a line and its remarks. */
export function wordsOfLine({ tokens, parts }: ParsedLine): ReadonlySet<string> {
  return new Set([...wordsOf(tokens), ...parts.flatMap((part) => wordsOf(part.tokens))]);
}

/** Replaces a part by another food, in the same amount unless one is given. */
export function withName(
  line: ParsedLine,
  part: SaidPart,
  name: Tokens,
  amount = part.amount,
): ParsedLine {
  const isSame = amount === part.amount;
  const said = isSame ? part.tokens.filter((token) => !part.name.includes(token)) : [];
  const tokens = [...said, ...name];
  return withPart(line, part, { ...part, name, amount, tokens, isRenamed: false });
}

/** Replaces the amount of a part. */
export function withAmount(line: ParsedLine, part: SaidPart, amount: Amount): ParsedLine {
  return withPart(line, part, { ...part, amount, tokens: part.name });
}

/** Adds parts, eaten with the existing ones. */
export function withParts(line: ParsedLine, { parts, leftOut }: ParsedLine): ParsedLine {
  const added = parts.map((part) => {
    return part.role === "main" ? { ...part, role: "addition" as const } : part;
  });
  return { ...line, parts: [...line.parts, ...added], leftOut: [...line.leftOut, ...leftOut] };
}

function withPart(line: ParsedLine, part: SaidPart, next: SaidPart): ParsedLine {
  return { ...line, parts: line.parts.map((own) => (own === part ? next : own)) };
}

/** Position of a phrase in tokens; -1 if absent. */
export function indexOfPhrase(tokens: Tokens, phrase: Tokens): number {
  if (phrase.length === 0) return -1;
  const wanted = phraseOf(phrase);
  return tokens.findIndex((_, at) => phraseOf(tokens.slice(at, at + phrase.length)) === wanted);
}
