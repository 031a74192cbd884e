import { AND, EACH, IN, LISTS, OF, ON, WITH } from "../text/words.ts";
import { isDescription } from "../text/name-words.ts";
import { isWord, wordAt } from "../text/tokens.ts";
import type { Token, Tokens } from "../text/tokens.ts";
import { isUnit } from "../text/units.ts";
import type { Span } from "./food-spans.ts";
import { isTaken, isWeight, refersBack, statedAmounts } from "./stated-amounts.ts";
import type { StatedAmount } from "./stated-amounts.ts";

/**
 * Maximum number of empty words between an amount and its food: "a delightful little bowl of creamy
 * oats".
 */
const BETWEEN_MAX = 4;

/**
 * Assigns amounts to foods: the preceding one, otherwise one that follows before the next food:
 * "broccoli, say a cup", "the steak was six ounces", "bread (72 g)".
 */
export function withAmounts(tokens: Tokens, foods: readonly Span[]): Token[][] {
  const stated = statedAmounts(tokens, foods);
  const before: (Before | undefined)[] = [];
  foods.forEach((food, at) => {
    const from = foods[at - 1]?.end ?? 0;
    const near = stated.filter((amount) => amount.at >= from && amount.end <= food.start);
    const found = amountBefore(tokens, food, near);
    const isOfPrevious = found && !before.at(-1) && isListedAfter(tokens, foods[at - 1], found);
    before.push(isOfPrevious ? undefined : found);
  });
  const used = new Set(before.flatMap((found) => found?.amounts ?? []));
  const after = foods.map((food, at) => {
    const next = foods[at + 1]?.start ?? tokens.length;
    const free = stated.filter(
      (amount) => !used.has(amount) && amount.at >= food.end && amount.end <= next,
    );
    const own = free.filter((amount) => refersBack(tokens, amount, food, before[at] !== undefined));
    // "Watermelon, two slices, 300 g in all".
    const found = own.find(isWeight) ?? own[0];
    if (found) used.add(found);
    if (found && isTaken(tokens, found, food)) before[at] = undefined;
    return found;
  });
  foods.forEach((food, at) => {
    const [amount, main] = [after[at], foods[at - 1]];
    if (!amount || !main || before[at - 1] || after[at - 1]) return;
    // "Pad thai with chicken, 1 cup" is a cup of the whole dish.
    const isApart = tokens.slice(food.end, amount.at).some(({ kind }) => kind === "mark");
    const joint = tokens.slice(main.end, food.start);
    const isAdded = joint.some((token) => isWord(token, WITH, IN));
    if (isApart && isAdded) [after[at - 1], after[at]] = [amount, undefined];
  });
  return foods.map((food, at) => {
    const name = tokens
      .slice(food.start, food.end)
      .filter((token) => token.kind !== "mark" && !isWord(token, LISTS.weighed));
    return withName(name, tokens, { before: before[at], after: after[at] });
  });
}

/** "Pork 160 g cooked, mashed potato": an amount after a food, which a comma ends. */
function isListedAfter(tokens: Tokens, previous: Span | undefined, { amounts }: Before): boolean {
  const [amount] = amounts;
  if (!previous || !amount || amount.at !== previous.end) return false;
  const after = tokens.slice(amount.end).findIndex((token) => !isDescriptionToken(token));
  return tokens[amount.end + after]?.text === ",";
}

const COMMA: Token = { kind: "mark", text: "," };

/** The amounts found for a food. */
interface OwnAmounts {
  readonly before: Before | undefined;
  readonly after: StatedAmount | undefined;
}

/** The amounts and the name of a food, in an order that can be read again. */
function withName(name: Tokens, tokens: Tokens, { before, after }: OwnAmounts): Token[] {
  const own = before?.tokens ?? [];
  // "A cold glass of milk".
  const unitEnd = isWord(name[1], OF) ? 2 : 0;
  if (!after) {
    const said = own.filter((token) => !isDescriptionToken(token));
    const describing = own.filter(isDescriptionToken);
    return [...said, ...name.slice(0, unitEnd), ...describing, ...name.slice(unitEnd)];
  }
  const isOf = isWord(tokens[after.at - 1], OF) && isWeight(after);
  if (isOf || isWord(tokens[after.end], EACH)) return [...timesEach(own, after.tokens), ...name];
  const kept = after.isMeasured && before?.isMeasured === true ? [] : own;
  // "Rice 75 g dry".
  const end = tokens.findIndex((token, at) => at >= after.end && !isDescriptionToken(token));
  const later = tokens.slice(after.end, end === -1 ? undefined : end);
  const told = before?.isMeasured === true ? [] : later;
  const of = name.findIndex((token) => isWord(token, OF));
  const isOfUnit = isUnit(wordAt(name, of - 1));
  const isOther = after.isMeasured || isWord(tokens[after.at - 1], LISTS.taking);
  // "Can of coke x2", but "a big pot of soup, had two bowls".
  if (isOfUnit && !isOther && own.length === 0) return [...after.tokens, ...name];
  return [...kept, ...told, ...(isOfUnit ? name.slice(of + 1) : name), COMMA, ...after.tokens];
}

interface Before {
  readonly amounts: readonly StatedAmount[];
  readonly tokens: Tokens;
  readonly isMeasured: boolean;
}

/** The amount before a food, with only descriptions between them. */
function amountBefore(
  tokens: Tokens,
  food: Span,
  near: readonly StatedAmount[],
): Before | undefined {
  const isBoundary = (token: Token) =>
    token.kind === "mark" || isWord(token, AND, WITH, ON, IN, LISTS.sentenceWords);
  const amount = near.at(-1);
  if (!amount) return undefined;
  const between = tokens.slice(amount.end, food.start);
  // "1 lb boneless, skinless chicken".
  const isDescribed = between.every(({ kind, text }, at) =>
    kind === "word" ? isDescription(text) : at > 0 && text === ",",
  );
  if (!isDescribed && (between.some(isBoundary) || between.length > BETWEEN_MAX)) {
    return afterBracket(tokens, food, near);
  }
  return partitive(amount, between);
}

/** "A sleeve of crackers" is not one cracker: the contents of a sleeve are unknown. */
function partitive(amount: StatedAmount, between: Tokens): Before | undefined {
  const hasOf = between.some((token) => isWord(token, OF));
  const units = unitsIn(between);
  // "A couple of eggs" are eggs.
  const isDirect = between.length === 1;
  if (hasOf && !isDirect && !amount.isMeasured && units.length === 0) return undefined;
  const kept = [...amount.tokens, ...units, ...between.filter(isDescriptionToken)];
  return { amounts: [amount], tokens: kept, isMeasured: amount.isMeasured || units.length > 0 };
}

function unitsIn(tokens: Tokens): Tokens {
  return tokens.filter((_, at) => isUnit(wordAt(tokens, at)));
}

function isDescriptionToken(token: Token): boolean {
  return token.kind === "word" && isDescription(token.text) && !isUnit(token.text);
}

/** "Two slices (72 g) of bread": the weight in brackets. */
function afterBracket(
  tokens: Tokens,
  food: Span,
  near: readonly StatedAmount[],
): Before | undefined {
  const closing = tokens.findLastIndex(({ text }, at) => at < food.start && text === ")");
  // "Walnuts (30 g) and a pear".
  const isNext = tokens.slice(closing + 1, food.start).some((token) => isWord(token, AND, WITH));
  if (closing === -1 || food.start - closing > 3 || isNext) return undefined;
  const opening = tokens.findLastIndex(({ text }, at) => at < closing && text === "(");
  const amounts = near.filter(({ end }) => end <= closing);
  const inside = amounts.find(({ at, isMeasured }) => at > opening && isMeasured);
  const outside = amounts.findLast(({ end }) => end <= opening);
  if (!inside) return undefined;
  const units = unitsIn(tokens.slice(closing, food.start));
  if (!isWeight(inside) && outside?.isMeasured) {
    return { amounts, tokens: outside.tokens, isMeasured: true };
  }
  // "2 (6 oz) fillets": a measure right after the count is that of each piece.
  const isOfCount = outside?.isMeasured === false && outside.end === opening;
  const isEach = isOfCount || isWord(tokens[inside.end], EACH);
  const count = outside ? [...outside.tokens, ...units] : [];
  const kept = isEach
    ? [...timesEach(count, inside.tokens), ...units]
    : [...count, OPENING, ...inside.tokens, CLOSING];
  return { amounts, tokens: kept, isMeasured: true };
}

const OPENING: Token = { kind: "mark", text: "(" };
const CLOSING: Token = { kind: "mark", text: ")" };
const TIMES: Token = { kind: "word", text: "x" };

/** "2 chops (6 oz each)" as "2 x 6 oz". */
function timesEach(count: Tokens, measure: Tokens): Tokens {
  const number = count.find(({ kind }) => kind === "number");
  return number ? [number, TIMES, ...measure] : measure;
}
