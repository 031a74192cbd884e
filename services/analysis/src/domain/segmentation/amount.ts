import { isDescription, trimFillers } from "../text/vocabulary.ts";
import { isWord, phraseOf, type Tokens, wordAt } from "../text/tokens.ts";
import {
  findHouseholdUnit,
  findMeasure,
  findSize,
  isUnit,
  scaled,
  THICKNESSES,
} from "../text/quantities.ts";
import type { Measure, Size } from "../text/quantities.ts";
import { FROM, LISTS, OF } from "../text/words.ts";

/** The amount of a food that a phrase states. */
export interface Amount {
  /** The count; 1 if the phrase states none. */
  readonly count: number;
  /** Whether the phrase states a count. */
  readonly counted: boolean;
  /** Weight or volume of one, such as 150 g. */
  readonly measure?: Measure;
  /** Name of one, such as `slice`; a portion name. */
  readonly unit?: string;
  readonly size?: Size;
}

export interface Quantified {
  readonly amount: Amount;
  /** The remaining words: the food's name. */
  readonly name: Tokens;
}

/** Whether a name is that of a whole food, so that `chocolate bar` is not a bar of chocolate. */
export type IsFood = (name: Tokens) => boolean;

export const NO_AMOUNT: Amount = { count: 1, counted: false };

/** Whether it states a weight, a volume, a unit or a size, not just a count. */
export function isMeasured({ measure, unit, size }: Amount): boolean {
  return (measure ?? unit ?? size) !== undefined;
}

/** Whether a part states an amount. */
export function hasAmount({ amount }: { readonly amount: Amount }): boolean {
  return amount.counted || amount.measure !== undefined || amount.size !== undefined;
}

/** Splits a phrase into amount and name: `2 slices of toast`, `toast, 60 g`, `2 x 150 g`. */
export function readAmount(tokens: Tokens, isFood: IsFood): Quantified {
  if (isFood(tokens)) return { amount: NO_AMOUNT, name: tokens };
  const phrase = trimFillers(tokens);
  const leading = amountAt(phrase, isFood);
  const rest = leading ? trimFillers(phrase.slice(leading.length)) : phrase;
  // "Large samosas, 2".
  const later = readLater(rest, leading?.amount.counted === true, isFood);
  // "2 fillets (150 g each)".
  const isEach = tokens.some((token) => isWord(token, LISTS.each));
  const amount = merge(leading?.amount, later?.amount, isEach);
  return withTrailingUnit(amount, trimFillers(later?.name ?? rest), isFood);
}

/** An amount and the number of its tokens. */
interface Reading {
  readonly amount: Amount;
  readonly length: number;
}

/** The amount at the start of the tokens: `2 slices`, `large cup`, `2 x 150 g`, `2 cans (330 ml)`. */
export function amountAt(tokens: Tokens, isFood: IsFood): Reading | undefined {
  const [first, next] = tokens;
  const isCounted = first?.kind === "number";
  const counted = isCounted ? (isWord(next, LISTS.times) ? 2 : 1) : 0;
  // "1 heaping cup".
  const isLevel = isWord(tokens[counted], LISTS.levels) && isUnit(wordAt(tokens, counted + 1));
  const start = isCounted && isLevel ? counted + 1 : counted;
  const own = measuredAt(tokens, start, isFood) ?? householdAt(tokens, start, isFood);
  if (!own) return undefined;
  const one = { ...own.amount, count: isCounted ? first.value : 1 };
  const aside = isCounted ? asideAt(tokens, own, isFood) : undefined;
  const amount = merge(one, aside?.amount, aside?.isEach === true || !isMeasured(one));
  const end = own.length + (aside?.length ?? 0);
  // "750 ml bottle of water": the bottle adds nothing.
  const contained = amount.measure ? unitAt(tokens, end, true, isFood).length : 0;
  return ofWholeAt(tokens, isFood, { amount, length: end + contained });
}

/** Skips the whole that pieces are cut from, so that it is not a second amount: "2 slices of a large pizza". */
function ofWholeAt(tokens: Tokens, isFood: IsFood, reading: Reading): Reading {
  const { amount, length } = reading;
  const [joint, one] = tokens.slice(length, length + 2);
  const isOne = one?.kind === "number" && one.value === 1;
  if (!amount.unit || amount.size || !isWord(joint, OF, FROM) || !isOne) return reading;
  const { size, length: sizeLength } = sizeAt(tokens, length + 2, isFood);
  return { amount: { ...amount, ...(size && { size }) }, length: length + 2 + sizeLength };
}

/** `150 g`, `large cup`, and the 150 g each of `2 x 150 g`. */
function measuredAt(tokens: Tokens, start: number, isFood: IsFood): Reading | undefined {
  const inner = start > 0 ? tokens[start] : undefined;
  const perItem = inner?.kind === "number" ? inner.value : undefined;
  const at = start + (perItem === undefined ? sizeAt(tokens, start, isFood).length : 1);
  for (const length of [2, 1]) {
    const words = tokens.slice(at, at + length);
    const isWords = words.length === length && words.every(({ kind }) => kind === "word");
    const measure = isWords ? findMeasure(phraseOf(words)) : undefined;
    // A weight requires a number before it; a cup does not.
    if (!measure || (measure.kind === "mass" && start === 0)) continue;
    const amount = { count: 1, counted: true, measure: scaled(measure, perItem ?? 1) };
    return { amount, length: at + length };
  }
  return undefined;
}

/** `2 slices`, `large`, `3 extra large`, `2`. */
function householdAt(tokens: Tokens, start: number, isFood: IsFood): Reading | undefined {
  const { size, length: sizeLength } = sizeAt(tokens, start, isFood);
  const { unit, length } = unitAt(tokens, start + sizeLength, start > 0, isFood);
  if (start === 0 && !size && !unit) return undefined;
  const counted = start > 0 || unit !== undefined;
  const amount = { count: 1, counted, ...(unit && { unit }), ...(size && { size }) };
  return { amount, length: start + sizeLength + length };
}

/** Another amount in brackets after a measured one, or the measure: `2 cans (330 ml)`, `1 cup (2 sticks)`. */
function asideAt(tokens: Tokens, { amount, length: at }: Reading, isFood: IsFood) {
  const closing = tokens.findIndex(({ text }) => text === ")");
  if (tokens[at]?.text !== "(" || closing < at) return undefined;
  const inside = tokens.slice(at + 1, closing);
  const isEach = inside.some((token) => isWord(token, LISTS.each));
  const said = amountAt(trimFillers(inside), isFood)?.amount;
  const isAgain = isMeasured(amount) && inside.some(({ kind }) => kind === "number");
  return said?.measure || isAgain ? { amount: said, isEach, length: closing + 1 - at } : undefined;
}

/** The size at that position, unless it is part of a name. */
function sizeAt(tokens: Tokens, at: number, isFood: IsFood) {
  // "Thick slice": the thickness states the size.
  const thickness =
    findHouseholdUnit(wordAt(tokens, at + 1)) && THICKNESSES.get(wordAt(tokens, at));
  if (thickness) return { size: thickness, length: 1 };
  for (const length of [2, 1]) {
    const words = tokens.slice(at, at + length);
    const size = words.every(({ kind }) => kind === "word") && findSize(phraseOf(words));
    if (size && !isFood(tokens.slice(at))) return { size, length };
  }
  return { size: undefined, length: 0 };
}

/** A household unit before its food: `slice of toast`, `2 slice toast`. */
function unitAt(tokens: Tokens, at: number, isCounted: boolean, isFood: IsFood) {
  const unit = findHouseholdUnit(wordAt(tokens, at));
  const next = tokens[at + 1];
  const mark = tokens.findIndex(({ kind }, later) => later > at && kind === "mark");
  const named = tokens.slice(at + 1, mark === -1 ? undefined : mark);
  const isOfFood = isCounted || isWord(next, OF) || isFoodSaid(named, isFood);
  // "One ear of corn, plain" is no ear of canned corn.
  const end = tokens.findLastIndex(({ text }) => !isDescription(text));
  const isInName = [tokens.length, end + 1].some((to) => isFood(tokens.slice(at, to)));
  return unit && isOfFood && !isInName ? { unit, length: 1 } : { unit: undefined, length: 0 };
}

/** Whether it is the name of a food, with or without descriptions. */
function isFoodSaid(name: Tokens, isFood: IsFood): boolean {
  const plain = name.filter((token) => token.kind !== "word" || !isDescription(token.text));
  return isFood(name) || isFood(plain);
}

/** An amount after the name: `toast 2 slices`, `yogurt (200 g)`, `eggs x 3`. */
function readLater(tokens: Tokens, measureOnly: boolean, isFood: IsFood) {
  for (const [at, token] of tokens.entries()) {
    const reading = token.kind === "number" ? amountAt(tokens.slice(at), isFood) : undefined;
    if (!reading || (measureOnly && !reading.amount.measure)) continue;
    return { amount: reading.amount, name: tokens.toSpliced(at, reading.length) };
  }
  return undefined;
}

/** One amount of two: `isEach` if the second is that of each one that the first counts. */
export function merge(
  first: Amount | undefined,
  second: Amount | undefined,
  isEach: boolean,
): Amount {
  if (!first || !second) return first ?? second ?? NO_AMOUNT;
  if (!first.counted) return { ...first, ...second };
  if (first.measure || !second.measure) return first;
  const each = isEach || (first.unit !== undefined && LISTS.containers.has(first.unit));
  return each ? { ...second, count: first.count * second.count } : second;
}

/** `cheese slice`, `latte, large`: a unit at the end of the name, or a size anywhere in it. */
function withTrailingUnit(amount: Amount, name: Tokens, isFood: IsFood): Quantified {
  if (!amount.size && !amount.measure && !isFood(name)) {
    const at = name.findIndex((_, index) => sizeAt(name, index, isFood).size);
    const { size, length } = sizeAt(name, at, isFood);
    const rest = trimFillers(name.toSpliced(at, length));
    if (size) return withTrailingUnit({ ...amount, size }, rest, isFood);
  }
  // "Grilled chicken thigh" is a thigh, not a thigh of grilled chicken.
  if (isFoodSaid(name, isFood)) return { amount, name };
  // "Tilapia fillet baked": descriptions may follow the unit.
  const at = name.findLastIndex(({ text }) => !isDescription(text));
  const last = wordAt(name, at);
  const before = trimFillers(name.slice(0, at));
  const described = [...name.slice(at + 1), ...before];
  const unit = amount.unit ? undefined : findHouseholdUnit(last);
  const isNamed = isFoodSaid(before, isFood) || isFood(described);
  if (!unit || !isNamed) return { amount, name };
  return { amount: { ...amount, unit }, name: described };
}
