import type { Token } from "../text/tokens.ts";
import { phraseOf, wordsOf } from "../text/tokens.ts";
import type { Amount } from "./amount.ts";

/** How a food of a line relates to the ones before it. */
export type Role =
  /** A food of its own. */
  | "main"
  /** Eaten with the main food: after "with", or before "on". */
  | "addition"
  /** Beside the main food: after "and", "plus" or a comma. */
  | "companion";

/** One food of a line, as it was written. */
export interface LinePart {
  readonly role: Role;
  /** Whether it is what the main food was cooked or packed in. */
  readonly isMedium: boolean;
  readonly tokens: readonly Token[];
  /** Whether words beside a known name make it another food: "dragon steak", "grunkle soup". */
  readonly isRenamed?: boolean;
}

/** The words of a part as they are shown. */
export function partText(part: LinePart): string {
  return phraseOf(part.tokens);
}

/** A food of a line with its amount, before it is looked up. */
export interface SaidPart extends LinePart {
  readonly amount: Amount;
  /** What the food is called. */
  readonly name: readonly Token[];
}

/** A parsed line. Details and corrections change this, never the text. */
export interface ParsedLine {
  readonly tokens: readonly Token[];
  readonly parts: readonly SaidPart[];
  /** What it says is missing: `bun` of "a burger without the bun". */
  readonly leftOut: readonly string[];
  /** Whether it is written in sentences, not as a list of foods. */
  readonly isText: boolean;
  /** Whether it is one of a recipe's ingredients. */
  readonly isRecipe: boolean;
  /** Words that may speak of food and belong to no part. */
  readonly unread: number;
}

/** The words that a line and what was said about it consist of. */
export function wordsOfLine({ tokens, parts }: ParsedLine): ReadonlySet<string> {
  return new Set([...wordsOf(tokens), ...parts.flatMap((part) => wordsOf(part.tokens))]);
}

/** The line with another food in the place of a part, in that part's amount unless one is given. */
export function withName(
  line: ParsedLine,
  part: SaidPart,
  name: readonly Token[],
  amount = part.amount,
): ParsedLine {
  const said =
    amount === part.amount ? part.tokens.filter((token) => !part.name.includes(token)) : [];
  return withPart(line, part, {
    ...part,
    name,
    amount,
    tokens: [...said, ...name],
    isRenamed: false,
  });
}

/** The line with another amount of a part. */
export function withAmount(line: ParsedLine, part: SaidPart, amount: Amount): ParsedLine {
  return withPart(line, part, { ...part, amount, tokens: part.name });
}

/** The line with more parts, which are eaten with the ones before them. */
export function withParts(line: ParsedLine, { parts, leftOut }: ParsedLine): ParsedLine {
  const added = parts.map((part) => {
    return part.role === "main" ? { ...part, role: "addition" as const } : part;
  });
  return { ...line, parts: [...line.parts, ...added], leftOut: [...line.leftOut, ...leftOut] };
}

function withPart(line: ParsedLine, part: SaidPart, next: SaidPart): ParsedLine {
  return { ...line, parts: line.parts.map((own) => (own === part ? next : own)) };
}

/** Where a phrase stands in tokens; -1 when it does not. */
export function indexOfPhrase(tokens: readonly Token[], phrase: readonly Token[]): number {
  if (phrase.length === 0) return -1;
  const wanted = phraseOf(phrase);
  return tokens.findIndex((_, at) => phraseOf(tokens.slice(at, at + phrase.length)) === wanted);
}
