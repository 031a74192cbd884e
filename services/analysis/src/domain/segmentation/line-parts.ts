import { AND, IN, ON, WITH } from "../text/connectors.ts";
import { isDescription } from "../text/name-words.ts";
import { startsFood, withAmountFirst, withCommas } from "./part-boundaries.ts";
import { isWord, phraseOf, wordsOf } from "../text/tokens.ts";
import type { Token } from "../text/tokens.ts";
import { words } from "../text/words.ts";

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
}

export interface SplitOptions {
  /** Whether a phrase, without its amount, is a name of a food: those are never split. */
  isName: (tokens: readonly Token[]) => boolean;
  /** Whether a phrase after a comma is a food of its own. */
  isFood: (tokens: readonly Token[]) => boolean;
  /** Whether a phrase is an amount and nothing else. */
  isAmount: (tokens: readonly Token[]) => boolean;
}

/** Liquids that food is sold in and that are not eaten with it: "tuna in water". */
const PACKING = words("water brine juice syrup own can tin drained");

const SEPARATORS: ReadonlySet<string> = new Set([",", ";", ".", "|"]);

/** Dishes that are named by a list of what is in them. */
const FILLED_DISHES = words(
  "sandwich wrap omelette pizza burrito quesadilla toastie panini sub bagel",
);
/** Such dishes that are also eaten beside others: "steak and caesar salad". */
const MIXED_DISHES = words("salad soup pie smoothie curry stew");

/** Most parts of a line; what follows stays in the last one. */
const PARTS_MAX = 12;

/**
 * The foods of what was eaten. Splits at "with", "and", "plus", "on" and commas, but never inside the
 * name of a food. A comma splits only before a food of its own.
 */
export function splitLine(tokens: readonly Token[], options: SplitOptions): LinePart[] {
  const isShare = tokens[0]?.kind === "number" && tokens[0].value < 1;
  if (!isShare && options.isName(tokens)) return [{ role: "main", isMedium: false, tokens }];
  const listed = withCommas(withAmountFirst(tokens, options), options);
  const segments = segmentsOf(listed, options);
  const joined = joinNames(segments, options);
  const parts: LinePart[] = [];
  joined.forEach(({ connector, tokens }, at) => {
    const leadsOn = joined[at + 1]?.connector === "on";
    if (connector === "in" && isPacking(tokens)) return;
    parts.push({ role: roleOf(connector, leadsOn, at), isMedium: connector === "in", tokens });
  });
  return parts;
}

type Connector = "start" | "with" | "in" | "and" | "on" | "comma";

interface Segment {
  connector: Connector;
  /** The words that joined it to the one before, for names such as "macaroni and cheese". */
  joint: readonly Token[];
  tokens: Token[];
}

function roleOf(connector: Connector, leadsOn: boolean, at: number): Role {
  if (leadsOn && at === 0) return "addition";
  if (connector === "with" || connector === "in") return "addition";
  return at === 0 || connector === "on" ? "main" : "companion";
}

function segmentsOf(tokens: readonly Token[], options: SplitOptions): Segment[] {
  const segments: Segment[] = [{ connector: "start", joint: [], tokens: [] }];
  tokens.forEach((token, at) => {
    const current = segments.at(-1);
    const connector = connectorAt(tokens, at, options);
    const splits = connector && current?.tokens.length && segments.length < PARTS_MAX;
    if (splits) segments.push({ connector, joint: [token], tokens: [] });
    else if (!connector || segments.length >= PARTS_MAX) current?.tokens.push(token);
  });
  return segments.filter((segment) => wordsOf(segment.tokens).length > 0);
}

function connectorAt(
  tokens: readonly Token[],
  at: number,
  options: SplitOptions,
): Connector | undefined {
  const token = tokens[at];
  if (isWord(token, IN)) return "in";
  if (isWord(token, WITH)) return "with";
  if (isWord(token, AND)) return isDescribed(tokens.slice(at + 1), options) ? undefined : "and";
  if (isWord(token, ON)) return "on";
  const separates = token?.kind === "mark" && SEPARATORS.has(token.text);
  if (separates && startsFood(tokens, at + 1, options)) return "comma";
  return undefined;
}

/** "Breaded and fried": words that only describe are no food of their own. */
function isDescribed(tokens: readonly Token[], { isName }: SplitOptions): boolean {
  const end = tokens.findIndex((token) => token.kind === "mark" || isWord(token, WITH));
  const phrase = tokens.slice(0, end === -1 ? undefined : end);
  // Sugar describes, and is a food.
  return phrase.length > 0 && wordsOf(phrase).every(isDescription) && !isName(phrase);
}

/** Joins neighbours whose words together name a food: "macaroni" and "cheese". */
function joinNames(segments: readonly Segment[], options: SplitOptions): Segment[] {
  const result: Segment[] = [];
  for (let at = 0; at < segments.length;) {
    let end = joinableEnd(segments, at);
    while (end > at + 1 && !isOneFood(segments.slice(at, end), options)) end -= 1;
    const first = segments[at];
    if (first) result.push({ ...first, tokens: textOf(segments.slice(at, end)) });
    at = end;
  }
  return result;
}

function isOneFood(segments: readonly Segment[], options: SplitOptions): boolean {
  return options.isName(textOf(segments)) || isFilledDish(segments, options);
}

/** "Turkey and avocado sandwich": what comes before the last noun is what the dish is made of. */
function isFilledDish(segments: readonly Segment[], options: SplitOptions): boolean {
  const rest = segments.slice(1);
  const last = rest.at(-1)?.tokens ?? [];
  const listed = rest.every(({ connector }) => connector === "and" || connector === "comma");
  const amounts = rest.some(({ tokens }) => tokens.some(({ kind }) => kind === "number"));
  if (!listed || amounts || wordsOf(last).length < 2) return false;
  const dish = last.at(-1);
  return isWord(dish, FILLED_DISHES) || (isWord(dish, MIXED_DISHES) && !options.isName(last));
}

/** "Half an avocado on toast" is not half of an avocado toast. */
function joinableEnd(segments: readonly Segment[], start: number): number {
  const token = segments[start]?.tokens[0];
  if (token?.kind !== "number" || token.value >= 1) return segments.length;
  const on = segments.findIndex(({ connector }, at) => at > start && connector === "on");
  return on === -1 ? segments.length : on;
}

function textOf(segments: readonly Segment[]): Token[] {
  return segments.flatMap(({ joint, tokens }, at) => (at === 0 ? tokens : [...joint, ...tokens]));
}

function isPacking(tokens: readonly Token[]): boolean {
  const text = wordsOf(tokens);
  return text.length > 0 && text.every((word) => PACKING.has(word));
}

/** The words of a part as they are shown. */
export function partText(part: LinePart): string {
  return phraseOf(part.tokens);
}
