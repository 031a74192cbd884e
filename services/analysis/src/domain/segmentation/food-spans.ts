import type { FoodIndex } from "../matching/food-index.ts";
import { isDescription, VAGUE_WORDS } from "../text/name-words.ts";
import { ON, words } from "../text/words.ts";
import { isWord } from "../text/tokens.ts";
import type { Token } from "../text/tokens.ts";
import { findHouseholdUnit, isUnit } from "../text/units.ts";
import { CLASSES, NEGATIONS, NO_FOOD_AFTER } from "./sentence-words.ts";

/** Where a name of a food stands: from `start` up to `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const NAME_WORDS_MAX = 8;
/** Names in another order than the table's are looked for up to so many words. */
const REORDERED_WORDS_MAX = 4;
/** No name begins or ends with these. */
const NO_EDGE = words("of a an the and with in on or my some at for to from x n");
/** What one word of a name is worth more than two names of a word each. */
const LENGTH_EXPONENT = 1.6;
/** What a word of a name that only describes counts of a word. */
const DESCRIPTION_SHARE = 0.3;
/** What it costs that another name follows at once: "semisweet" belongs to the "chocolate chips". */
const BESIDE_COST = 1;
/** Least score of two names side by side as one food. */
const ONE_FOOD_SCORE = 0.8;

/**
 * The names of foods in a text, none overlapping: those that together explain most of its words, so
 * that "peanut butter sandwich" is one name and not three.
 */
export function findSpans(tokens: readonly Token[], index: FoodIndex, isList: boolean): Span[] {
  const worth: number[] = Array.from({ length: tokens.length + 1 }, () => 0);
  const chosen: (Span | undefined)[] = [];
  for (let start = tokens.length - 1; start >= 0; start -= 1) {
    worth[start] = worth[start + 1] ?? 0;
    for (const span of namesAt(tokens, start, index)) {
      const isBesideNext = chosen[span.end] !== undefined;
      const own = worthOf(tokens, span) - (isBesideNext && !isList ? BESIDE_COST : 0);
      const value = own + (worth[span.end] ?? 0);
      if (value <= (worth[start] ?? 0)) continue;
      worth[start] = value;
      chosen[start] = span;
    }
  }
  const spans: Span[] = [];
  for (let at = 0; at < tokens.length;) {
    const span = chosen[at];
    if (span) spans.push(span);
    at = span ? span.end : at + 1;
  }
  const named = spans.filter((span) => !isOtherThing(tokens, span));
  return joined(tokens, named, { index, isList });
}

/** Two names side by side that are one food together: "turkey" and "salad", "crisp" and "greek salad". */
function joined(
  tokens: readonly Token[],
  spans: readonly Span[],
  { index, isList }: { index: FoodIndex; isList: boolean },
): Span[] {
  const result: Span[] = [];
  for (const span of spans) {
    const before = result.at(-1);
    const between = before && tokens.slice(before.end, span.start);
    const isBeside = between?.every(({ kind, text }) => kind === "word" && isDescription(text));
    const isMissing = before && isWord(tokens[before.start - 1], NEGATIONS);
    const whole =
      before && isBeside && !isMissing ? { start: before.start, end: span.end } : undefined;
    const match = whole && index.match(wordsAt(tokens, whole));
    const own = whole && index.match(wordsAt(tokens, span));
    const isSure = match && (match.score >= ONE_FOOD_SCORE || match.food === own?.food);
    const isOne = isList ? match !== undefined : isSure;
    // "Chestnut mushrooms": the first of two names is of which kind the second is.
    if (whole) result[result.length - 1] = isOne ? whole : span;
    else result.push(span);
  }
  return result;
}

function wordsAt(tokens: readonly Token[], { start, end }: Span): string[] {
  return tokens.slice(start, end).map(({ text }) => text);
}

function namesAt(tokens: readonly Token[], start: number, index: FoodIndex): Span[] {
  const found: Span[] = [];
  const name: string[] = [];
  if (NO_EDGE.has(tokens[start]?.text ?? "")) return [];
  const before = tokens[start - 1];
  const isShare = before?.kind === "number" && before.value < 1;
  for (let end = start; end < tokens.length && name.length < NAME_WORDS_MAX; end += 1) {
    const token = tokens[end];
    if (token?.kind !== "word") break;
    name.push(token.text);
    // "Half an avocado on toast" is not half of an avocado toast.
    if (isShare && ON.has(token.text)) break;
    if (NO_EDGE.has(token.text)) continue;
    // "A burger, no bun, and fries": what is missing is read apart.
    if (NEGATIONS.has(token.text)) break;
    const mayReorder = name.length <= REORDERED_WORDS_MAX;
    const isName =
      index.findByName(name.join(" ")) ?? (mayReorder ? index.findByWords(name) : undefined);
    // "No mayo turkey sandwich": of what comes first, one word is what is missing.
    const isMissing = name.length > 1 && start === 1 && isWord(before, NEGATIONS);
    if (isName && !isMissing && !isNoName(name)) found.push({ start, end: end + 1 });
  }
  return found;
}

/** "Snack", "meal" and the like are in names, and alone they are none. */
function isNoName(name: readonly string[]): boolean {
  const [word = ""] = name;
  return name.length === 1 && (VAGUE_WORDS.has(word) || CLASSES.has(word));
}

function worthOf(tokens: readonly Token[], { start, end }: Span): number {
  const said = wordsAt(tokens, { start, end });
  // "A cup of tea with milk" is of tea with milk.
  const named = said[1] === "of" && isUnit(said[0] ?? "") ? said.slice(2) : said;
  const kept = named.filter((text) => !NO_EDGE.has(text));
  const telling = kept.filter((text) => !isDescription(text)).length;
  return (telling + DESCRIPTION_SHARE * (kept.length - telling)) ** LENGTH_EXPONENT;
}

/** "Curry night", "the coffee shop"; a unit before "of" is one: "a stick of mozzarella". */
function isOtherThing(tokens: readonly Token[], { start, end }: Span): boolean {
  const next = tokens[end];
  if (next?.kind !== "word") return false;
  if (NO_FOOD_AFTER.has(next.text)) return true;
  const word = tokens[start]?.text ?? "";
  const isUnit = end - start === 1 && findHouseholdUnit(word) !== undefined;
  return isUnit && (next.text === "of" || tokens[start - 1]?.kind === "number");
}
