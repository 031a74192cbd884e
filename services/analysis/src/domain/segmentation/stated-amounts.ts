import { isDescription, isSilentWord } from "../text/vocabulary.ts";
import { isWord, type Token, type Tokens } from "../text/tokens.ts";
import { isUnit, scaled } from "../text/quantities.ts";
import { AND, IN, LISTS, OF, ON, WITH } from "../text/words.ts";
import { type Amount, amountAt, isMeasured, merge, type Quantified } from "./amount.ts";
import type { Span } from "./food-spans.ts";

/** A food with its amount, and the words of both. */
export interface MeasuredFood extends Quantified {
  readonly tokens: Tokens;
}

/** An amount and its position in the text. */
interface StatedAmount extends Span {
  readonly amount: Amount;
}

const ONE: Token = { kind: "number", text: "1", value: 1 };
/** Maximum number of empty words between an amount and its food: "a little bowl of creamy oats". */
const BETWEEN_MAX = 4;

/** The amounts of a text outside food names, in order. */
function statedAmounts(tokens: Tokens, foods: readonly Span[]): StatedAmount[] {
  const amounts: StatedAmount[] = [];
  for (let start = 0; start < tokens.length; start += 1) {
    const food = foods.find(({ end }) => end > start);
    if (food && start >= food.start) continue;
    const isCounted = tokens[start]?.kind === "number";
    // "Tea with splash of milk", "handful almonds": a unit needs no count before a food.
    const isFood = (name: Tokens) => !isCounted && name[0] === tokens[food?.start ?? -1];
    const found = amountAt(tokens.slice(start, isCounted ? food?.start : food?.end), isFood);
    if (!found || (!isCounted && !found.amount.unit && !found.amount.measure)) continue;
    // A "rice pudding cup" is a package, not a measure.
    if (!isCounted && found.amount.measure && foods.some(({ end }) => end === start)) continue;
    const before = amounts.at(-1);
    const between = tokens.slice(before?.end, start);
    const isOfCount = !isCounted && between.every((token) => describes(token) || isWord(token, OF));
    // "A couple of tablespoons", "3/4 cup plus 2 tbsp" and "1 lb 2 oz" are one amount each.
    const isSum = before && between.length === 1 && isWord(between[0], AND);
    // "1 can chunk light tuna" is a can.
    const one = before && isMeasured(before.amount) ? before.amount : found.amount;
    const ofCount = before && isOfCount && { ...one, count: before.amount.count };
    const whole = isSum ? sumOf(before.amount, found.amount) : ofCount;
    const end = start + found.length;
    if (before && whole) amounts.splice(-1, 1, { start: before.start, end, amount: whole });
    else amounts.push({ start, end, amount: found.amount });
    start = end - 1;
  }
  return amounts;
}

function sumOf(first: Amount, second: Amount): Amount | undefined {
  const [one, other] = [first.measure, second.measure];
  if (!one || one.kind !== other?.kind) return undefined;
  const [left, right] = [one, other].map((of) => (of.kind === "mass" ? of.grams : of.milliliters));
  // In "300 g and 50 g of bread", each is an amount.
  if (!left || !right || (one.kind === "mass" && left <= right)) return undefined;
  const factor = first.count + (second.count * right) / left;
  return { count: 1, counted: true, measure: scaled(one, factor) };
}

/** Gives each food the amount before it, or else one between it and the next food: "broccoli, say a cup". */
export function withAmounts(
  tokens: Tokens,
  foods: readonly Span[],
  quantify: (said: Tokens) => Quantified,
): MeasuredFood[] {
  const before: (StatedAmount | undefined)[] = [];
  const after: (StatedAmount | undefined)[] = [];
  const amounts = statedAmounts(tokens, foods);
  for (const [order, stated] of amounts.entries()) {
    const next = amounts[order + 1];
    const at = foods.findLastIndex(({ end }) => end <= stated.start);
    const [main, food, following] = [foods[at - 1], foods[at], foods[at + 1]];
    const isLast = following && !(next && next.end <= following.start);
    const isOfPrevious = !before[at] && isListedAfter(tokens, food, stated);
    // "Can of coke x2".
    const isCounted = tokens[before[at]?.start ?? -1]?.kind === "number";
    if (isLast && isBeforeFood(tokens, stated, following) && !isOfPrevious) before[at + 1] = stated;
    else if (food && refersBack(tokens, stated, food, isCounted)) {
      const isFree = main && !before[at - 1] && !after[at - 1];
      const of = isFree && isOfWhole(tokens, main, food, stated) ? at - 1 : at;
      // "Watermelon, two slices, 300 g in all".
      if (!after[of]?.amount.measure && (!after[of] || stated.amount.measure)) after[of] = stated;
      if (isTaken(tokens, stated, food)) before[of] = undefined;
    }
  }
  return foods.map((food, at) =>
    measured(tokens, { food, before: before[at], after: after[at] }, quantify),
  );
}

/** Whether an amount is that of the food after it, with only descriptions or empty words between. */
function isBeforeFood(tokens: Tokens, { end, amount }: StatedAmount, food: Span): boolean {
  const between = tokens.slice(end, food.start);
  // "1 lb boneless, skinless chicken".
  const isDescribed = between.every(({ kind, text }, at) =>
    kind === "word" ? isDescription(text) : at > 0 && text === ",",
  );
  const isBoundary = (token: Token) =>
    token.kind === "mark" || isWord(token, AND, WITH, ON, IN, LISTS.sentenceWords);
  if (!isDescribed && (between.some(isBoundary) || between.length > BETWEEN_MAX)) return false;
  // "A sleeve of crackers" is not one cracker, but "a couple of eggs" are eggs.
  const isUnknownUnit = between.length > 1 && between.some((token) => isWord(token, OF));
  return isMeasured(amount) || !isUnknownUnit;
}

/** "Pork 160 g cooked, mashed potato": an amount after a food, which a comma ends. */
function isListedAfter(tokens: Tokens, food: Span | undefined, amount: StatedAmount): boolean {
  const after = tokens.slice(amount.end).find((token) => !describes(token));
  return amount.start === food?.end && after?.text === ",";
}

/** Whether an amount refers to the food before it; `isCounted` if that has one already. */
function refersBack(tokens: Tokens, stated: StatedAmount, food: Span, isCounted: boolean): boolean {
  const { start, end, amount } = stated;
  const between = tokens.slice(food.end, start);
  const [next, after] = tokens.slice(end, end + 2);
  if (isCounted) {
    // "A steak (about 120 g)", "a steak of 120 g", "half a bag of crisps, so 75 g".
    const isTold = between.every(
      (token) =>
        token.kind === "mark" || isWord(token, LISTS.amountFillers, LISTS.beforeLaterAmount, OF),
    );
    return (isTold && amount.measure !== undefined) || isTaken(tokens, stated, food);
  }
  const back = isWord(next, OF) ? after : next;
  if (isWord(back, LISTS.backReferences)) return true;
  if (isMeasured(amount)) return !isWord(next, OF);
  // "Ryvita x3 with cottage cheese".
  const isSilent = between.every(({ kind, text }) => kind === "mark" || isSilentWord(text));
  return isSilent || isWord(tokens[start - 1], LISTS.taking, LISTS.times);
}

/** "A pot of soup, had two bowls": what was eaten of it. */
function isTaken(tokens: Tokens, { start, end }: StatedAmount, food: Span): boolean {
  const verb = tokens
    .slice(food.end, start)
    .findLast((token) => !isWord(token, LISTS.amountFillers));
  const isPassed = (token: Token) => describes(token) || isWord(token, LISTS.backReferences, OF);
  const next = tokens.slice(end).find((token) => !isPassed(token));
  return isWord(verb, LISTS.taking) && (next?.kind !== "word" || isWord(next, AND, WITH));
}

/** "Pad thai with chicken, 1 cup" is a cup of the whole dish. */
function isOfWhole(tokens: Tokens, main: Span, food: Span, amount: StatedAmount): boolean {
  const isApart = tokens.slice(food.end, amount.start).some(({ kind }) => kind === "mark");
  return isApart && tokens.slice(main.end, food.start).some((token) => isWord(token, WITH, IN));
}

/** A food with the amounts found before and after it. */
function measured(
  tokens: Tokens,
  { food, before, after }: { food: Span } & Record<"before" | "after", StatedAmount | undefined>,
  quantify: (said: Tokens) => Quantified,
): MeasuredFood {
  const said = tokens
    .slice(food.start, food.end)
    .filter((token) => token.kind !== "mark" && !isWord(token, LISTS.weighed));
  // The name may say more of the amount: 2 and "thin slice of cheddar". After a count, "bag" is a unit of anything.
  const own = quantify(before && !isMeasured(before.amount) ? [ONE, ...said] : said);
  const leading = before?.amount.measure ? before.amount : { ...own.amount, ...before?.amount };
  const isCounted = tokens[before?.start ?? -1]?.kind === "number";
  const first = { ...leading, counted: leading.counted && (isCounted || !after) };
  // "Half the packet, so 75 g" states the amount again; "2 chops (6 oz each)" does not.
  const isBeside =
    after?.start === food.end || tokens[food.end]?.text === "(" || isWord(tokens[food.end], OF);
  const isAgain = after?.amount.measure && (leading.measure || !isBeside);
  const isEach = after !== undefined && isWord(tokens[after.end], LISTS.each);
  const wordsOf = (span: Span | undefined) => (span ? tokens.slice(span.start, span.end) : []);
  const describing = before ? tokens.slice(before.end, food.start).filter(describes) : [];
  // "Rice 75 g dry".
  const rest = after ? tokens.slice(after.end) : [];
  const end = rest.findIndex((token) => !describes(token));
  const told = rest.slice(0, end === -1 ? undefined : end);
  return {
    amount: merge(isAgain ? undefined : first, after?.amount, isEach),
    name: [...told, ...describing, ...own.name],
    tokens: [...wordsOf(before), ...describing, ...said, ...wordsOf(after), ...told],
  };
}

/** Whether a word only describes the food beside it. */
function describes(token: Token): boolean {
  return token.kind === "word" && isDescription(token.text) && !isUnit(token.text);
}
