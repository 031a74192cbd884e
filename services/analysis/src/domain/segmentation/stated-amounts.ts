import { isDescription, isSilentWord } from "../text/name-words.ts";
import { AND, EACH, LISTS, OF, TIMES, WITH } from "../text/words.ts";
import { isWord, wordAt } from "../text/tokens.ts";
import type { Token, Tokens } from "../text/tokens.ts";
import { findMeasure, isUnit } from "../text/units.ts";
import type { Span } from "./food-spans.ts";

/** An amount and its position in the text. */
export interface StatedAmount {
  readonly at: number;
  readonly end: number;
  readonly tokens: Tokens;
  /** Whether it states a weight, a volume, a unit or a size, not just a count. */
  readonly isMeasured: boolean;
}

/** The amounts of a text outside food names, in order. */
export function statedAmounts(tokens: Tokens, foods: readonly Span[]): StatedAmount[] {
  const amounts: StatedAmount[] = [];
  const isInFood = (at: number) => foods.some(({ start, end }) => at >= start && at < end);
  for (let at = 0; at < tokens.length; at += 1) {
    if (isInFood(at) || tokens[at]?.kind !== "number") continue;
    const found = amountAt(tokens, at, isInFood);
    const before = amounts.at(-1);
    const sum = before && sumOf(tokens, before, found);
    if (sum) amounts[amounts.length - 1] = sum;
    else amounts.push(found);
    at = found.end - 1;
  }
  return amounts;
}

/** "3/4 cup plus 2 tbsp" and "1 lb 2 oz" are one amount each. */
function sumOf(
  tokens: Tokens,
  first: StatedAmount,
  second: StatedAmount,
): StatedAmount | undefined {
  const isJoined = second.at === first.end + 1 && isWord(tokens[first.end], AND);
  const [one, other] = [measureOf(first), measureOf(second)];
  if (!isJoined || !one || one.unit !== other?.unit) return undefined;
  // In "300 g and 50 g of bread", each is an amount.
  if (one.unit === "g" && one.each <= other.each) return undefined;
  const value = Math.round(10 * (one.size + other.size)) / 10;
  const sum: Token[] = [
    { kind: "number", text: String(value), value },
    { kind: "word", text: one.unit },
  ];
  return { at: first.at, end: second.end, tokens: sum, isMeasured: true };
}

/** Milliliters or grams of an amount such as `3/4 cup`. */
function measureOf({ tokens }: StatedAmount) {
  const [count, unit, ...rest] = tokens;
  const measure = unit && findMeasure(unit.text, false);
  if (count?.kind !== "number" || !measure || rest.length > 0) return undefined;
  const isVolume = measure.kind === "volume";
  const each = isVolume ? measure.milliliters : measure.grams;
  return { each, size: count.value * each, unit: isVolume ? "ml" : "g" };
}

/** `2`, `2 x 150 g`, `1 large`, `2 slices`, `1 small bowl`. */
function amountAt(tokens: Tokens, at: number, isInFood: (at: number) => boolean): StatedAmount {
  let end = at + 1;
  let isMeasured = false;
  for (let length = 0; length < 4 && !isInFood(end); length += 1) {
    const [word, next] = [wordAt(tokens, end), wordAt(tokens, end + 1)];
    if (tokens[end]?.kind === "number" && isPerItem(tokens, end, isMeasured)) end += 1;
    else if (findMeasure(`${word} ${next}`, false)) [end, isMeasured] = [end + 2, true];
    else if (isUnit(word)) [end, isMeasured] = [end + 1, true];
    else if (word === "x") end += 1;
    else break;
  }
  return { at, end, tokens: tokens.slice(at, end), isMeasured };
}

/** The 8 of "2 x 8 oz" and of "1 8-oz package". */
function isPerItem(tokens: Tokens, at: number, isMeasured: boolean): boolean {
  const isMeasure = findMeasure(wordAt(tokens, at + 1), false) !== undefined;
  return !isMeasured && (wordAt(tokens, at - 1) === "x" || isMeasure);
}

/** Whether it is a weight or a volume. */
export function isWeight({ tokens }: StatedAmount): boolean {
  return tokens.some(({ text }) => findMeasure(text, false));
}

/** Whether no food follows an amount, except after "and" or "with". */
function isLastOf(tokens: Tokens, { end }: StatedAmount): boolean {
  const isPassed = ({ text }: Token) => isDescription(text) || LISTS.backReferences.has(text);
  const next = tokens.slice(end).find((token) => !isPassed(token) && !isWord(token, OF));
  return next?.kind !== "word" || isWord(next, AND, WITH);
}

/** "A pot of soup, had two bowls", "a pizza and ate a quarter of it": what was eaten of it. */
export function isTaken(tokens: Tokens, amount: StatedAmount, food: Span): boolean {
  const between = tokens.slice(food.end, amount.at);
  const verb = between.findLast((token) => !isWord(token, LISTS.amountFillers));
  const isShare = amount.tokens.every((token) => token.kind === "number" && token.value < 1);
  return isWord(verb, LISTS.taking) && isLastOf(tokens, amount) && !isShare;
}

/** Maximum number of words between a food and its following amount. */
const BESIDE_MAX = 2;

/** Maximum words between an amount and its food that may hold a unit. */
const BEFORE_NAME_MAX = 4;

/** Whether an amount refers to the food before it. */
export function refersBack(
  tokens: Tokens,
  amount: StatedAmount,
  food: Span,
  hasAmount: boolean,
): boolean {
  const between = tokens.slice(food.end, amount.at);
  const [next, after] = tokens.slice(amount.end, amount.end + 2);
  const isBack =
    isWord(next, LISTS.backReferences) || (isWord(next, OF) && isWord(after, LISTS.backReferences));
  const isOfEach = between.every((token) => token.kind === "mark" || isWord(token, OF));
  if (isWord(next, EACH) && isOfEach && isWeight(amount)) return true;
  // "(2 lb)", "(about 2 lb)".
  const isBracketed =
    between[0]?.text === "(" &&
    between.slice(1).every((token) => isWord(token, LISTS.beforeLaterAmount));
  // "A steak of 120 g".
  const isNext = between.length === 0 || (between.length === 1 && isWord(between[0], OF));
  if (hasAmount) {
    if (isTaken(tokens, amount, food)) return true;
    // "Half a bag of crisps, so 75 g".
    const isTold = between.every(
      (token) => token.kind === "mark" || isWord(token, LISTS.amountFillers),
    );
    return isWeight(amount) && (isBracketed || isNext || (isTold && isLastOf(tokens, amount)));
  }
  // "Three medium ones": the "one" was read as a number.
  const isOnes = amount.tokens.length > 1 && next?.kind === "number" && next.value === 1;
  // "Chicken kiev, oven cooked, 140 g": a comma after a remark, and nothing else after it.
  const isSilent = ({ kind, text }: Token) => kind === "mark" || isSilentWord(text);
  const isLast = tokens[amount.at - 1]?.kind === "mark" && tokens.slice(amount.end).every(isSilent);
  // "Ryvita x3 with cottage cheese".
  if (isBack || isOnes || isLast || isWord(tokens[amount.at - 1], TIMES)) return true;
  if (!amount.isMeasured) {
    const isListed = between.every(isSilent) || isWord(tokens[amount.at - 1], LISTS.taking);
    return isListed && isLastOf(tokens, amount);
  }
  const says = between.filter(
    (token) => token.kind === "word" && !isWord(token, LISTS.beforeLaterAmount),
  );
  // "Pad thai takeout about a cup": a word or two, and no mark.
  const isBeside = between.every(({ kind }) => kind === "word") && says.length <= BESIDE_MAX;
  // "Tuna salad in a tupperware, must have been 2 cups": nothing else is measured.
  const isAlone = next?.kind !== "word" || isSilentWord(next.text);
  return !isWord(next, OF) && (says.length === 0 || isBeside || isAlone);
}

/**
 * "Pop tarts, 1 pack (2 pastries)", "2 tbsp lime juice (from 1 lime)": whether a count in brackets
 * restates the amount before them.
 */
export function isRestating(tokens: Tokens, { start, end }: Span, all: readonly Span[]): boolean {
  const opening = start - (tokens[start - 2]?.text === "from" ? 3 : 2);
  const isCount = tokens[opening]?.text === "(" && tokens[start - 1]?.kind === "number";
  const named = all.findLast((span) => span.end < start);
  const said = named ? tokens.slice(Math.max(0, named.start - BEFORE_NAME_MAX), opening) : [];
  return isCount && tokens[end]?.text === ")" && said.some(({ text }) => isUnit(text));
}

/** "3 slices and a coke", "a coke and 3 slices": pieces of an unnamed food, none of them `used`. */
export function bareAmounts(
  tokens: Tokens,
  foods: readonly Span[],
  used: ReadonlySet<Token>,
): StatedAmount[] {
  return statedAmounts(tokens, foods).filter(({ at, end, tokens: amount }) => {
    const [before, next] = [tokens[at - 1], tokens[end]];
    const isFree = !before || isWord(before, AND, WITH, LISTS.taking);
    const isAlone = isFree && (!next || isWord(next, AND, WITH));
    const isPiece = amount.some((token) => isWord(token, LISTS.pieces));
    return isAlone && isPiece && !amount.some((token) => used.has(token));
  });
}
