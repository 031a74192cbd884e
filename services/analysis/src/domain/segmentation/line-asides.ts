import { withoutContext } from "./line-context.ts";
import { readNegations } from "./negations.ts";
import { isDescription } from "../text/name-words.ts";
import { isWord, wordsOf } from "../text/tokens.ts";
import type { Token } from "../text/tokens.ts";
import { findSize } from "../text/units.ts";
import { words } from "../text/words.ts";

/** Whether a phrase, without its amount, is a name of a food. */
export type IsName = (tokens: readonly Token[]) => boolean;

/** What a line says was eaten, and what it says was not. */
export interface Eaten {
  readonly tokens: readonly Token[];
  /** What the line says is missing: `bun` of "burger, no bun". */
  readonly leftOut: readonly string[];
}

/** Parts whose figures the food has already, or whose absence is a word of its name. */
const OWN_PARTS = words("skin bone shell peel crust rind stone pit ice rock");
const BEFORE_PARTS = words("with without no on the");
const ABSENCE = words("without no");
const PART_STATES = words("on off removed eaten included discarded");
const ABSENT_STATES = words("off removed discarded");

/**
 * A line without what is not eaten: a heading, when and where it was, parts such as "with bone", what
 * the line says is missing ("without sugar", "no butter"), and the second of two alternatives.
 */
export function withoutAsides(tokens: readonly Token[], isName: IsName): Eaten {
  if (isName(tokens)) return { tokens, leftOut: [] };
  const said = withoutIngredients(tokens);
  const eaten = withoutOwnParts(withoutContext(said, isName));
  return readNegations(eaten, isName);
}

/** Without a list in brackets that names no amounts: the ingredients of a food are in its figures. */
function withoutIngredients(tokens: readonly Token[]): readonly Token[] {
  const start = tokens.findIndex((token) => isMark(token, "("));
  const end = tokens.findIndex((token, at) => at > start && isMark(token, ")"));
  const inside = tokens.slice(start + 1, end);
  const isList = start > 0 && inside.some((token) => isMark(token, ","));
  // "Coffee (large, black)" says how it was.
  const describes = wordsOf(inside).every((word) => isDescription(word) || findSize(word));
  if (!isList || describes || inside.some(({ kind }) => kind === "number")) return tokens;
  return [...tokens.slice(0, start), ...tokens.slice(end + 1)];
}

function isMark(token: Token, text: string): boolean {
  return token.kind === "mark" && token.text === text;
}

/** Without "with bone", "shell removed" and the like; "skin removed" is "skinless". */
function withoutOwnParts(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  let part: string | undefined;
  tokens.forEach((token, at) => {
    const state = tokens[at + 1];
    const isSaid = isWord(kept.at(-1), BEFORE_PARTS) || isWord(state, PART_STATES);
    if (isWord(token, OWN_PARTS) && kept.length > 0 && isSaid) {
      part = token.text;
      const isAbsent = isWord(kept.at(-1), ABSENCE) || isWord(state, ABSENT_STATES);
      dropTrailing(kept, BEFORE_PARTS);
      if (part === "skin" && isAbsent) insertSkinless(kept);
    } else if (part === undefined || !isWord(token, PART_STATES)) {
      part = undefined;
      kept.push(token);
    }
  });
  return kept;
}

/** "Chicken thigh, skin removed" is "chicken skinless thigh": the order of words tells nothing. */
function insertSkinless(tokens: Token[]): void {
  // Not between a number and its unit.
  const last = tokens.findLastIndex(
    ({ kind }, at) => kind === "word" && tokens[at - 1]?.kind !== "number",
  );
  tokens.splice(Math.max(0, last), 0, { kind: "word", text: "skinless" });
}

function dropTrailing(tokens: Token[], dropped: ReadonlySet<string>): void {
  while (tokens.length > 1 && isWord(tokens.at(-1), dropped)) tokens.pop();
}
