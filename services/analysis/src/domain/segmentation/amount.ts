import { isFoodSaid, measureAt, sizeAt, unitAt } from "./amount-units.ts";
import type { ReadingOptions } from "./amount-units.ts";
import { isDescription } from "../text/name-words.ts";
import { isWord, wordAt } from "../text/tokens.ts";
import type { Token, Tokens } from "../text/tokens.ts";
import { findHouseholdUnit } from "../text/units.ts";
import type { Measure, Size } from "../text/units.ts";
import { EACH, LISTS, TIMES } from "../text/words.ts";

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

export const NO_AMOUNT: Amount = { count: 1, counted: false };
/** Sentinel after a trailing amount, whose unit needs a following token. */
const END: Token = { kind: "word", text: "" };

/** Splits a phrase into amount and name: `2 slices of toast`, `toast, 60 g`, `2 x 150 g`. */
export function readAmount(tokens: Tokens, options: ReadingOptions): Quantified {
  if (options.isFood(tokens)) return { amount: NO_AMOUNT, name: tokens };
  const phrase = trimFillers(tokens);
  const leading = readLeading(phrase, options);
  const rest = leading ? trimFillers(phrase.slice(leading.length)) : phrase;
  // "Large samosas, 2".
  const later = readLater(rest, leading?.amount.counted === true, options);
  // "2 fillets (150 g each)".
  const isEach = tokens.some((token) => isWord(token, EACH));
  const amount = merge(leading?.amount, later?.amount, isEach);
  return withTrailingUnit(amount, trimFillers(later?.name ?? rest), options);
}

interface Reading {
  amount: Amount;
  length: number;
}

/** The amount at the start of the tokens. */
function readLeading(tokens: Tokens, options: ReadingOptions): Reading | undefined {
  const count = readCount(tokens);
  return readMeasure(tokens, count, options) ?? readHousehold(tokens, count, options);
}

/** `150 g`, `2 x 150 g`, `2 (150 g)`, `cup of`, `large cup of`. */
function readMeasure(
  written: Tokens,
  { value: count, length: start }: Count,
  options: ReadingOptions,
): Reading | undefined {
  const isCounted = start > 0;
  const isBracketed = isMark(written[start], "(");
  const closing = isBracketed ? written.findIndex((token) => isMark(token, ")")) : -1;
  // "2 (about 6 oz) chicken breasts".
  const opening = isWord(written[start + 1], LISTS.amountFillers) ? 2 : 1;
  const tokens = closing === -1 ? written : written.toSpliced(closing, 1).toSpliced(start, opening);
  const inner = isCounted ? tokens[start] : undefined;
  const perItem = inner?.kind === "number" ? inner.value : undefined;
  const skipped = perItem === undefined ? sizeAt(tokens, start, options).length : 1;
  const found = measureAt(tokens, start + skipped, options);
  // A weight requires a number before it; a cup does not.
  if (!found || (found.measure.kind === "mass" && !isCounted)) return undefined;
  const measure = perItem === undefined ? found.measure : scaled(found.measure, perItem);
  const amount = { count, counted: true, measure };
  // "750 ml bottle of water": the bottle adds nothing.
  const end = start + skipped + found.length;
  const brackets = written.length - tokens.length;
  return { amount, length: end + unitAt(tokens, end, true, options).length + brackets };
}

function isMark(token: Token | undefined, mark: string): boolean {
  return token?.kind === "mark" && token.text === mark;
}

/** `2 slices of`, `large`, `3 extra large`, `2`. */
function readHousehold(
  tokens: Tokens,
  { value: count, length: start }: Count,
  options: ReadingOptions,
): Reading | undefined {
  const { size, length: sizeLength } = sizeAt(tokens, start, options);
  const { unit, length } = unitAt(tokens, start + sizeLength, start > 0, options);
  if (start === 0 && !size && !unit) return undefined;
  const counted = start > 0 || unit !== undefined;
  const amount = { count, counted, ...(unit && { unit }), ...(size && { size }) };
  return { amount, length: start + sizeLength + length };
}

/** A count and the number of its tokens; 1 and none if the tokens begin with no count. */
interface Count {
  value: number;
  length: number;
}

/** `3`, `3 x`. */
function readCount([token, next]: Tokens): Count {
  if (token?.kind !== "number") return { value: 1, length: 0 };
  return { value: token.value, length: isWord(next, TIMES) ? 2 : 1 };
}

/** An amount after the name: `toast 2 slices`, `yogurt (200 g)`, `eggs x 3`. */
function readLater(tokens: Tokens, measureOnly: boolean, options: ReadingOptions) {
  const readings = tokens.flatMap((token, at) => {
    if (token.kind !== "number") return [];
    const reading = readLeading([...tokens.slice(at), END], options);
    if (!reading || (measureOnly && !reading.amount.measure)) return [];
    return [{ amount: reading.amount, name: tokens.toSpliced(at, reading.length) }];
  });
  // "Pigs in a blanket 4": the article belongs to the name.
  return readings.find(({ name }) => options.isFood(name)) ?? readings[0];
}

function merge(leading: Amount | undefined, later: Amount | undefined, isEach: boolean): Amount {
  if (!leading || !later) return leading ?? later ?? NO_AMOUNT;
  if (!leading.counted) return { ...leading, ...later };
  if (leading.measure || !later.measure) return leading;
  const each = isEach || (leading.unit !== undefined && LISTS.containers.has(leading.unit));
  return each ? { ...later, count: leading.count * later.count } : later;
}

/** `cheese slice`, `latte, large`: a unit at the end of the name, or a size anywhere in it. */
function withTrailingUnit(amount: Amount, name: Tokens, options: ReadingOptions): Quantified {
  if (!amount.size && !amount.measure && !options.isFood(name)) {
    const at = name.findIndex((_, index) => sizeAt(name, index, options).size);
    const { size, length } = sizeAt(name, at, options);
    const rest = name.toSpliced(at, length);
    if (size) return withTrailingUnit({ ...amount, size }, trimFillers(rest), options);
  }
  // "Grilled chicken thigh" is a thigh, not a thigh of grilled chicken.
  if (isFoodSaid(name, options)) return { amount, name };
  // "Tilapia fillet baked": descriptions may follow the unit.
  const at = name.findLastIndex(({ text }) => !isDescription(text));
  const last = wordAt(name, at);
  const before = trimFillers(name.slice(0, at));
  const described = [...name.slice(at + 1), ...before];
  const unit = amount.unit ? undefined : findHouseholdUnit(last);
  const isNamed = isFoodSaid(before, options) || options.isFood(described);
  if (!unit || !isNamed) return { amount, name };
  // "1 cup pineapple chunks" is a cup.
  return { amount: amount.measure ? amount : { ...amount, unit }, name: described };
}

function scaled(measure: Measure, factor: number): Measure {
  return measure.kind === "mass"
    ? { ...measure, grams: measure.grams * factor }
    : { kind: "volume", milliliters: measure.milliliters * factor };
}

/** The tokens without marks and empty words at either end. */
function trimFillers(tokens: Tokens): Tokens {
  const isFiller = (token: Token | undefined) =>
    token?.kind === "mark" || isWord(token, LISTS.amountFillers, TIMES);
  let [start, end] = [0, tokens.length];
  while (start < end && isFiller(tokens[start])) start += 1;
  while (end > start && isFiller(tokens[end - 1])) end -= 1;
  return tokens.slice(start, end);
}
