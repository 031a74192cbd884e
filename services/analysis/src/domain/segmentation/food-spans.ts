import type { FoodIndex } from "../matching/food-index.ts";
import { isDescription } from "../text/vocabulary.ts";
import { LISTS, ON } from "../text/words.ts";
import { isWord, type Tokens, wordAt } from "../text/tokens.ts";
import { findHouseholdUnit, isUnit } from "../text/quantities.ts";

/** Position of a food name in the tokens: from `start` up to `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const NAME_WORDS_MAX = 8;
/** Maximum words of a name that is also found in another word order. */
const REORDERED_WORDS_MAX = 4;
/** Exponent that makes one name of n words worth more than n names of one word. */
const LENGTH_EXPONENT = 1.6;
/** Weight of a descriptive word of a name, relative to other words. */
const DESCRIPTION_SHARE = 0.3;
/** Cost of a name directly before another: "semisweet" belongs to the "chocolate chips". */
const BESIDE_COST = 1;
/** Minimum score of two adjacent names as one food. */
const ONE_FOOD_SCORE = 0.8;

/** The food names, without overlaps, that cover most words: "peanut butter sandwich" is one, not three. */
export function findSpans(tokens: Tokens, index: FoodIndex, isList: boolean): Span[] {
  const worth: number[] = Array.from({ length: tokens.length + 1 }, () => 0);
  const chosen: (Span | undefined)[] = [];
  for (let start = tokens.length - 1; start >= 0; start -= 1) {
    worth[start] = worth[start + 1] ?? 0;
    for (const span of namesAt(tokens, start, index)) {
      const isBesideNext = chosen[span.end] !== undefined;
      const own = worthOf(tokens, span) - (isBesideNext && !isList ? BESIDE_COST : 0);
      const value = own + (worth[span.end] ?? 0);
      if (value < (worth[start] ?? 0)) continue;
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
  return joined(tokens, named, index, isList);
}

/** Joins adjacent names of one food: "turkey" and "salad", "crisp" and "greek salad". */
function joined(tokens: Tokens, spans: readonly Span[], index: FoodIndex, isList: boolean): Span[] {
  const result: Span[] = [];
  for (const span of spans) {
    const start = result.at(-1)?.start ?? 0;
    const between = tokens.slice(result.at(-1)?.end, span.start);
    const isBeside = between.every(({ kind, text }) => kind === "word" && isDescription(text));
    const isMissing = isWord(tokens[start - 1], LISTS.negations);
    if (result.length === 0 || !isBeside || isMissing) result.push(span);
    else {
      const whole = { start, end: span.end };
      const [match, own] = [whole, span].map((said) => index.match(wordsAt(tokens, said)));
      const isSure = isList || (match?.score ?? 0) >= ONE_FOOD_SCORE || match?.food === own?.food;
      // "Chestnut mushrooms": the first of two names is a kind of the second.
      result[result.length - 1] = match && isSure ? whole : span;
    }
  }
  return result;
}

function wordsAt(tokens: Tokens, { start, end }: Span): string[] {
  return tokens.slice(start, end).map(({ text }) => text);
}

function namesAt(tokens: Tokens, start: number, index: FoodIndex): Span[] {
  const found: Span[] = [];
  const name: string[] = [];
  if (isWord(tokens[start], LISTS.noNameEdge)) return [];
  const before = tokens[start - 1];
  const isShare = before?.kind === "number" && before.value < 1;
  for (let end = start; end < tokens.length && name.length < NAME_WORDS_MAX; end += 1) {
    const token = tokens[end];
    // "Ants on a log": the article was read as a number.
    if (token?.kind !== "word" && !(token?.kind === "number" && token.value === 1 && end > start))
      break;
    if (!mayBeInName(token.text, index)) break;
    name.push(token.text);
    // "Half an avocado on toast" is not half of an avocado toast.
    if (isShare && ON.has(token.text)) break;
    if (LISTS.noNameEdge.has(token.text)) continue;
    // "A burger, no bun, and fries": the missing part is read separately.
    if (LISTS.negations.has(token.text)) break;
    const said = name.filter((word) => !LISTS.noNameEdge.has(word));
    const mayReorder = said.length <= REORDERED_WORDS_MAX;
    const isName =
      index.findByName(name.join(" ")) ?? (mayReorder ? index.findByWords(name) : undefined);
    if (isName && !isNoName(name)) found.push({ start, end: end + 1 });
  }
  return found;
}

/** Most words are in no name at all. */
function mayBeInName(word: string, index: FoodIndex): boolean {
  return index.knows(word) || LISTS.ignoredInNames.has(word) || LISTS.noNameEdge.has(word);
}

/** "Snack", "meal" and single letters are parts of names, but not names of their own. */
function isNoName(name: readonly string[]): boolean {
  const [word = ""] = name;
  const isPart = word.length === 1 || LISTS.vagueWords.has(word) || LISTS.kindsOfFood.has(word);
  return name.length === 1 && isPart;
}

function worthOf(tokens: Tokens, { start, end }: Span): number {
  const said = wordsAt(tokens, { start, end });
  // "A cup of tea with milk" is a cup of "tea with milk".
  const named = said[1] === "of" && isUnit(said[0] ?? "") ? said.slice(2) : said;
  const kept = named.filter((text) => !LISTS.noNameEdge.has(text));
  const telling = kept.filter((text) => !isDescription(text)).length;
  return (telling + DESCRIPTION_SHARE * (kept.length - telling)) ** LENGTH_EXPONENT;
}

/** "Curry night", "the coffee shop", or a unit: "a stick of mozzarella", but not "a steak of 180 g". */
function isOtherThing(tokens: Tokens, { start, end }: Span): boolean {
  const next = tokens[end];
  if (next?.kind !== "word") return false;
  if (LISTS.noFoodAfter.has(next.text)) return true;
  const word = wordAt(tokens, start);
  if (end - start > 1 || findHouseholdUnit(word) === undefined) return false;
  return next.text === "of" && tokens[end + 1]?.kind !== "number";
}
