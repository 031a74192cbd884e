import brands from "../../../foods/words/brands.json" with { type: "json" };
import type { Token } from "./tokens.ts";

const BRANDS: ReadonlySet<string> = new Set(brands);

const BRAND_WORDS_MAX = 3;

/** Whether the word, or words read as one, are a maker's or a shop's name. */
export function isBrand(word: string): boolean {
  return BRANDS.has(word);
}

/** Names of several words, such as `ben and jerry`, become one word, so that none is taken apart. */
export function joinBrands(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  for (let at = 0; at < tokens.length;) {
    const length = brandLengthAt(tokens, at);
    const token = tokens[at];
    if (length > 1) result.push({ kind: "word", text: textOf(tokens, at, length) });
    else if (token) result.push(token);
    at += Math.max(1, length);
  }
  return result;
}

function brandLengthAt(tokens: readonly Token[], at: number): number {
  for (let length = BRAND_WORDS_MAX; length > 1; length -= 1) {
    if (BRANDS.has(textOf(tokens, at, length))) return length;
  }
  return 0;
}

function textOf(tokens: readonly Token[], at: number, length: number): string {
  const run = tokens.slice(at, at + length);
  return run.every(({ kind }) => kind !== "mark") ? run.map(({ text }) => text).join(" ") : "";
}
