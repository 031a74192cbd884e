import { isDescription } from "../text/name-words.ts";
import { isWord } from "../text/tokens.ts";
import type { Token, Tokens } from "../text/tokens.ts";
import { scaled } from "../text/units.ts";
import { AND, EACH, IN, LISTS, OF, ON, WITH } from "../text/words.ts";
import { isDescriptionToken, isTaken, refersBack } from "./back-references.ts";
import type { StatedAmount } from "./back-references.ts";
import { amountAt, isMeasured, merge } from "./amount.ts";
import type { Amount, Quantified } from "./amount.ts";
import type { Span } from "./food-spans.ts";

/** A food with its name and amount, and the words of both. */
export interface MeasuredFood extends Quantified {
  readonly tokens: Tokens;
}

const ONE: Token = { kind: "number", text: "1", value: 1 };
/** Maximum number of empty words between an amount and its food: "a little bowl of creamy oats". */
const BETWEEN_MAX = 4;

/** The amounts of a text outside food names, in order. */
export function statedAmounts(tokens: Tokens, foods: readonly Span[]): StatedAmount[] {
  const amounts: StatedAmount[] = [];
  for (let start = 0; start < tokens.length; start += 1) {
    const food = foods.find(({ end }) => end > start);
    if (food && start >= food.start) continue;
    const isCounted = tokens[start]?.kind === "number";
    // "Tea with splash of milk", "handful almonds": a unit needs no count before a food.
    const isFood = (name: Tokens) => !isCounted && name[0] === tokens[food?.start ?? -1];
    const own = tokens.slice(start, isCounted ? food?.start : food?.end);
    const found = amountAt(own, { isFood });
    if (!found || (!isCounted && !found.amount.unit && !found.amount.measure)) continue;
    const before = amounts.at(-1);
    const between = tokens.slice(before?.end, start);
    const isOfCount = !isCounted && between.every(isDescriptionOrOf);
    // "140 g roast leg of lamb".
    if (before && isOfCount && isMeasured(before.amount)) continue;
    // "A couple of tablespoons", "3/4 cup plus 2 tbsp" and "1 lb 2 oz" are one amount each.
    const isJoined = between.length === 1 && isWord(between[0], AND);
    const ofCount = isOfCount ? { ...found.amount, count: before?.amount.count ?? 1 } : undefined;
    const sum = isJoined && before ? sumOf(before.amount, found.amount) : ofCount;
    const isWhole = before !== undefined && sum !== undefined;
    if (isWhole) amounts.pop();
    const end = start + found.length;
    amounts.push({ start: isWhole ? before.start : start, end, amount: sum ?? found.amount });
    start = end - 1;
  }
  return amounts;
}

function isDescriptionOrOf(token: Token): boolean {
  return isDescriptionToken(token) || isWord(token, OF);
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

/**
 * Gives each food the amount before it, or else one between it and the next food: "broccoli, say a
 * cup", "the steak was six ounces", "bread (72 g)".
 */
export function withAmounts(
  tokens: Tokens,
  foods: readonly Span[],
  quantify: (said: Tokens) => Quantified,
): MeasuredFood[] {
  const stated = statedAmounts(tokens, foods);
  const before: (StatedAmount | undefined)[] = [];
  foods.forEach((food, at) => {
    const previous = foods[at - 1];
    const found = stated.findLast(
      ({ start, end }) => start >= (previous?.end ?? 0) && end <= food.start,
    );
    const isOwn = found && isBeforeFood(tokens, found, food);
    const isOfPrevious = isOwn && !before.at(-1) && isListedAfter(tokens, previous, found);
    before.push(isOwn && !isOfPrevious ? found : undefined);
  });
  const used = new Set(before);
  const after = foods.map((food, at) => {
    const next = foods[at + 1]?.start ?? tokens.length;
    const own = stated.filter(
      (amount) =>
        !used.has(amount) &&
        amount.start >= food.end &&
        amount.end <= next &&
        refersBack(tokens, amount, food, before[at] !== undefined),
    );
    // "Watermelon, two slices, 300 g in all".
    const found = own.find(({ amount }) => amount.measure) ?? own[0];
    used.add(found);
    if (found && isTaken(tokens, found, food)) before[at] = undefined;
    return found;
  });
  foods.forEach((food, at) => {
    const [amount, main] = [after[at], foods[at - 1]];
    if (!amount || !main || before[at - 1] || after[at - 1]) return;
    if (isOfWhole(tokens, main, food, amount)) [after[at - 1], after[at]] = [amount, undefined];
  });
  return foods.map((food, at) =>
    measured(tokens, { food, before: before[at], after: after[at] }, quantify),
  );
}

/** "Pad thai with chicken, 1 cup" is a cup of the whole dish. */
function isOfWhole(tokens: Tokens, main: Span, food: Span, amount: StatedAmount): boolean {
  const isApart = tokens.slice(food.end, amount.start).some(({ kind }) => kind === "mark");
  return isApart && tokens.slice(main.end, food.start).some((token) => isWord(token, WITH, IN));
}

/** A food and the amounts found for it. */
interface FoundAmounts {
  readonly food: Span;
  readonly before: StatedAmount | undefined;
  readonly after: StatedAmount | undefined;
}

function measured(
  tokens: Tokens,
  { food, before, after }: FoundAmounts,
  quantify: (said: Tokens) => Quantified,
): MeasuredFood {
  const said = tokens
    .slice(food.start, food.end)
    .filter((token) => token.kind !== "mark" && !isWord(token, LISTS.weighed));
  // The name may say more of the amount: 2 and "thin slice of cheddar". After a count, "bag" is a unit of anything.
  const own = quantify(before && !isMeasured(before.amount) ? [ONE, ...said] : said);
  const between = before ? tokens.slice(before.end, food.start) : [];
  const leading = before?.amount.measure ? before.amount : { ...own.amount, ...before?.amount };
  // "2 chops (6 oz each)".
  const isEach = after !== undefined && isWord(tokens[after.end], EACH);
  const kept = isToldAgain(tokens, { food, before, after }, leading) ? undefined : leading;
  // "Can of coke x2".
  const isCounted = before !== undefined && tokens[before.start]?.kind === "number";
  const first = kept && { ...kept, counted: kept.counted && (isCounted || !after) };
  const wordsOf = (span: Span | undefined) => (span ? tokens.slice(span.start, span.end) : []);
  const describing = between.filter(isDescriptionToken);
  // "Rice 75 g dry".
  const end = tokens.findIndex(
    (token, at) => at >= (after?.end ?? 0) && !isDescriptionToken(token),
  );
  const told = after ? tokens.slice(after.end, end === -1 ? undefined : end) : [];
  return {
    amount: merge(first, after?.amount, isEach),
    name: [...told, ...describing, ...own.name],
    tokens: [...wordsOf(before), ...describing, ...said, ...wordsOf(after), ...told],
  };
}

/**
 * Whether the later amount replaces the one before: "a pot of soup, had two bowls", "half the
 * packet, so 75 g".
 */
function isToldAgain(
  tokens: Tokens,
  { food, before, after }: FoundAmounts,
  leading: Amount,
): boolean {
  if (!after) return false;
  if (!before) return leading.counted && isMeasured(after.amount);
  const isBeside = tokens[food.end]?.text === "(" || isWord(tokens[food.end], OF);
  return (
    after.amount.measure !== undefined &&
    (leading.measure !== undefined || (after.start > food.end && !isBeside))
  );
}

/** "Pork 160 g cooked, mashed potato": an amount after a food, which a comma ends. */
function isListedAfter(tokens: Tokens, previous: Span | undefined, amount: StatedAmount): boolean {
  if (amount.start !== previous?.end) return false;
  const after = tokens.slice(amount.end).find((token) => !isDescriptionToken(token));
  return after?.text === ",";
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
