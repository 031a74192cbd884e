import { AND, IN, ON, WITH } from "../text/connectors.ts";
import { isDescription } from "../text/name-words.ts";
import { isWord } from "../text/tokens.ts";
import type { Token } from "../text/tokens.ts";
import { isUnit } from "../text/units.ts";
import type { Span } from "./food-spans.ts";
import { isWeight, statedAmounts } from "./stated-amounts.ts";
import type { StatedAmount } from "./stated-amounts.ts";
import {
  BACK_REFERENCES,
  BEFORE_LATER_AMOUNT,
  SENTENCE_WORDS,
  TAKING,
  WEIGHED,
} from "./prose-words.ts";

const OF: ReadonlySet<string> = new Set(["of"]);
/** Most words between an amount and its food that say nothing: "a delightful little bowl of creamy oats". */
const BETWEEN_MAX = 4;
/** Such words between a food and an amount of it that follows. */
const BESIDE_MAX = 2;

/**
 * The tokens of each food with its amount: the one before it, or else one that comes after it and
 * before no other food: "broccoli, say a cup", "the steak was six ounces", "bread (72 g)".
 */
export function withAmounts(tokens: readonly Token[], foods: readonly Span[]): Token[][] {
  const stated = statedAmounts(tokens, foods);
  const before = foods.map((food, at) =>
    amountBefore(tokens, food, foods[at - 1]?.end ?? 0, stated),
  );
  const used = new Set(before.flatMap((found) => found?.amounts ?? []));
  const after = foods.map((food, at) => {
    const next = foods[at + 1]?.start ?? tokens.length;
    const free = stated.filter(
      (amount) => !used.has(amount) && amount.at >= food.end && amount.end <= next,
    );
    const found = free.find((amount) => refersBack(tokens, amount, food, before[at] !== undefined));
    if (found) used.add(found);
    return found;
  });
  return foods.map((food, at) => {
    const name = tokens
      .slice(food.start, food.end)
      .filter((token) => token.kind !== "mark" && !isWord(token, WEIGHED));
    return withName(name, { tokens, before: before[at], after: after[at] });
  });
}

const COMMA: Token = { kind: "mark", text: "," };

function withName(
  name: readonly Token[],
  {
    tokens,
    before,
    after,
  }: {
    tokens: readonly Token[];
    before: Before | undefined;
    after: StatedAmount | undefined;
  },
): Token[] {
  const own = before?.tokens ?? [];
  if (!after) return [...own, ...name];
  const isOf = isWord(tokens[after.at - 1], OF) && isWeight(after);
  if (isOf || isWord(tokens[after.end], EACH)) return [...timesEach(own, after.tokens), ...name];
  const kept = after.isMeasured && before?.isMeasured === true ? [] : own;
  return [...kept, ...name, COMMA, ...after.tokens];
}

interface Before {
  readonly amounts: readonly StatedAmount[];
  readonly tokens: readonly Token[];
  readonly isMeasured: boolean;
}

/** The amount that stands before a food, with nothing but words about it between. */
function amountBefore(
  tokens: readonly Token[],
  food: Span,
  from: number,
  stated: readonly StatedAmount[],
): Before | undefined {
  const isBoundary = (token: Token) =>
    token.kind === "mark" || [AND, WITH, ON, IN, SENTENCE_WORDS].some((set) => isWord(token, set));
  const amount = stated.findLast(({ at, end }) => at >= from && end <= food.start);
  if (!amount) return undefined;
  const between = tokens.slice(amount.end, food.start);
  // "1 lb boneless, skinless chicken".
  const isDescribed = between.every(({ kind, text }) =>
    kind === "word" ? isDescription(text) : text === ",",
  );
  if (!isDescribed && (between.some(isBoundary) || between.length > BETWEEN_MAX)) {
    return afterBracket(tokens, food, from, stated);
  }
  return partitive(amount, between);
}

/** "A sleeve of crackers" is no one cracker: what one holds is not known. */
function partitive(amount: StatedAmount, between: readonly Token[]): Before | undefined {
  const hasOf = between.some((token) => isWord(token, OF));
  const units = between.filter((token) => token.kind === "word" && isUnit(token.text));
  if (hasOf && !amount.isMeasured && units.length === 0) return undefined;
  const kept = [...amount.tokens, ...units, ...between.filter(isDescriptionToken)];
  return { amounts: [amount], tokens: kept, isMeasured: amount.isMeasured || units.length > 0 };
}

function isDescriptionToken(token: Token): boolean {
  return token.kind === "word" && isDescription(token.text) && !isUnit(token.text);
}

/** "Two slices (72 g) of bread": the weight in brackets. */
function afterBracket(
  tokens: readonly Token[],
  food: Span,
  from: number,
  stated: readonly StatedAmount[],
): Before | undefined {
  const closing = tokens.findLastIndex(
    ({ text }, at) => at >= from && at < food.start && text === ")",
  );
  if (closing === -1 || food.start - closing > 3) return undefined;
  const opening = tokens.findLastIndex(({ text }, at) => at < closing && text === "(");
  const amounts = stated.filter(({ at, end }) => at >= from && end <= closing);
  const inside = amounts.find(({ at, isMeasured }) => at > opening && isMeasured);
  const outside = amounts.findLast(({ end }) => end <= opening);
  if (!inside) return undefined;
  const units = tokens
    .slice(closing, food.start)
    .filter((token) => token.kind === "word" && isUnit(token.text));
  if (!isWeight(inside) && outside?.isMeasured) {
    return { amounts, tokens: outside.tokens, isMeasured: true };
  }
  const isEach = isWord(tokens[inside.end], EACH);
  const count = outside ? [...outside.tokens, ...units] : [];
  const kept = isEach
    ? timesEach(count, inside.tokens)
    : [...count, OPENING, ...inside.tokens, CLOSING];
  return { amounts, tokens: kept, isMeasured: true };
}

const OPENING: Token = { kind: "mark", text: "(" };
const CLOSING: Token = { kind: "mark", text: ")" };
const TIMES: Token = { kind: "word", text: "x" };
const EACH: ReadonlySet<string> = new Set(["each"]);

/** "2 chops (6 oz each)" as "2 x 6 oz". */
function timesEach(count: readonly Token[], measure: readonly Token[]): readonly Token[] {
  const number = count.find(({ kind }) => kind === "number");
  return number ? [number, TIMES, ...measure] : measure;
}

/** Whether an amount that follows a food is of it. */
function refersBack(
  tokens: readonly Token[],
  amount: StatedAmount,
  food: Span,
  hasAmount: boolean,
): boolean {
  const between = tokens.slice(food.end, amount.at);
  const [next, after] = tokens.slice(amount.end, amount.end + 2);
  const isBack =
    isWord(next, BACK_REFERENCES) || (isWord(next, OF) && isWord(after, BACK_REFERENCES));
  const isOfEach = between.every((token) => token.kind === "mark" || isWord(token, OF));
  if (isWord(next, EACH) && isOfEach && isWeight(amount)) return true;
  const isBracketed = between.length === 1 && between[0]?.text === "(";
  // "A steak of 120 g".
  const isOf = between.length === 1 && isWord(between[0], OF);
  if (hasAmount) return (isBracketed || isOf) && amount.isMeasured && isWeight(amount);
  // "Three medium ones": the one is read as a number.
  const isOnes = amount.tokens.length > 1 && next?.kind === "number" && next.value === 1;
  if (isBack || isOnes) return true;
  if (!amount.isMeasured) {
    return isWord(tokens[amount.at - 1], TAKING) && next?.kind !== "word";
  }
  const isOfOther = isWord(next, OF);
  const says = between.filter(
    (token) => token.kind === "word" && !isWord(token, BEFORE_LATER_AMOUNT),
  );
  // "Pad thai takeout about a cup": a word or two, and no mark.
  const isBeside = between.every(({ kind }) => kind === "word") && says.length <= BESIDE_MAX;
  return !isOfOther && (says.length === 0 || isBeside);
}
