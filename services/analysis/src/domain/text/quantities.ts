import numbers from "../../../foods/words/numbers.json" with { type: "json" };
import units from "../../../foods/words/units.json" with { type: "json" };
import { isWord, type Token, type Tokens, wordAt } from "./tokens.ts";
import { words } from "./words.ts";

const mapOf = (table: Readonly<Record<string, number>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(table));

const NUMBERS = mapOf(numbers.numbers);
const FRACTIONS = mapOf(numbers.fractions);
const ARTICLES = words("a an un une ein eine");
const AFTER_FRACTION = ["of", "a", "an", "the"];
const NO_FRACTION_BEFORE = words("pounder and");

/** A number in words, and where it ends. */
interface Reading {
  readonly value: number;
  readonly end: number;
}

/** Replaces number words by numbers: `half a`, `two and a half`, `half a dozen`; not in `half and half`. */
export function readNumberWords(tokens: Tokens): Token[] {
  const result: Token[] = [];
  for (let at = 0; at < tokens.length;) {
    const amount = amountAt(tokens, at);
    if (amount) result.push({ kind: "number", text: String(amount.value), value: amount.value });
    else result.push(...tokens.slice(at, at + 1));
    at = amount?.end ?? at + 1;
  }
  return result;
}

function amountAt(tokens: Tokens, start: number): Reading | undefined {
  const first = fractionAt(tokens, start) ?? wholeAt(tokens, start);
  if (!first) return undefined;
  let { value, end } = first;
  const dozen = skip(tokens, end, ["a"]);
  if (value !== 12 && wordAt(tokens, dozen) === "dozen") [value, end] = [value * 12, dozen + 1];
  if (wordAt(tokens, end) === "and") {
    const rest = fractionAt(tokens, skip(tokens, end + 1, ["a", "one"]));
    if (rest) return { value: value + rest.value, end: rest.end };
  }
  // Digits alone are a number already.
  return tokens[start]?.kind === "number" && end === start + 1 ? undefined : { value, end };
}

function wholeAt(tokens: Tokens, at: number): Reading | undefined {
  const token = tokens[at];
  if (token?.kind === "number") return { value: token.value, end: at + 1 };
  const start = isWord(token, ARTICLES) ? at + 1 : at;
  return numberAt(tokens, start) ?? (start > at ? { value: 1, end: start } : undefined);
}

/** `twelve`, `twenty five`, `hundred`, `two hundred and fifty`. */
function numberAt(tokens: Tokens, at: number): Reading | undefined {
  const below = belowHundred(tokens, at);
  const hundred = below?.end ?? at;
  if (wordAt(tokens, hundred) !== "hundred") return below;
  const value = 100 * (below?.value ?? 1);
  const rest = belowHundred(tokens, skip(tokens, hundred + 1, ["and"]));
  return rest ? { value: value + rest.value, end: rest.end } : { value, end: hundred + 1 };
}

function belowHundred(tokens: Tokens, at: number): Reading | undefined {
  const value = NUMBERS.get(wordAt(tokens, at));
  if (value === undefined) return undefined;
  const unit = value >= 20 ? (NUMBERS.get(wordAt(tokens, at + 1)) ?? 10) : 10;
  return unit < 10 ? { value: value + unit, end: at + 2 } : { value, end: at + 1 };
}

/** `half of the`, `a quarter`, `1/2 an`. */
function fractionAt(tokens: Tokens, start: number): Reading | undefined {
  const first = tokens[start];
  if (first?.kind === "number" && first.value < 1) {
    return { value: first.value, end: start + (isWord(tokens[start + 1], ARTICLES) ? 2 : 1) };
  }
  const isOne = isWord(first, ARTICLES) || wordAt(tokens, start) === "one";
  const at = isOne ? start + 1 : start;
  const value = FRACTIONS.get(wordAt(tokens, at));
  if (value === undefined || isWord(tokens[at + 1], NO_FRACTION_BEFORE)) return undefined;
  if (at === start && isPiece(tokens, at)) return undefined;
  return { value, end: skip(tokens, at + 1, AFTER_FRACTION) };
}

/** A counted half is a piece: "1 grapefruit half", "peach halves", "2 half peaches". */
function isPiece(tokens: Tokens, at: number): boolean {
  const [before, token, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  const isPlural = token?.kind === "word" && token.isPlural === true;
  const isBesideNumber = after?.kind === "word" && !findMeasure(after.text);
  if (before?.kind === "number") return isPlural || isBesideNumber;
  return before?.kind === "word" && (isPlural || after === undefined || after.kind === "mark");
}

function skip(tokens: Tokens, start: number, skipped: readonly string[]): number {
  let at = start;
  while (skipped.includes(wordAt(tokens, at))) at += 1;
  return at;
}

/** The number in a word such as `2%`. */
export function percentOf(word: string): number | undefined {
  const value = word.endsWith("%") ? Number(word.slice(0, -1)) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** The size of one unit of measure. */
export type Measure =
  /** `isOunces` marks ounces, which are fluid ounces for a drink. */
  | { readonly kind: "mass"; readonly grams: number; readonly isOunces?: boolean }
  /** `portion` is the name under which a food may list it. */
  | { readonly kind: "volume"; readonly milliliters: number; readonly portion?: string };

/** US fluid ounce (NIST Handbook 44, appendix C). */
export const FLUID_OUNCE_ML = 29.573_53;

const MEASURES: ReadonlyMap<string, Measure> = new Map(
  units.measures.flatMap(({ names, ...measure }) =>
    names.map((name) => [name, measure as Measure]),
  ),
);

/** Milliliters of a US cup. */
export const CUP_ML = 236.588;

/** The measure with that name, or undefined. */
export const findMeasure = (name: string) => MEASURES.get(name);

/** A measure times a factor. */
export function scaled(measure: Measure, factor: number): Measure {
  if (factor === 1) return measure;
  return measure.kind === "mass"
    ? { ...measure, grams: measure.grams * factor }
    : { kind: "volume", milliliters: measure.milliliters * factor };
}

/** Whether a weight is in ounces, which are fluid ounces for a drink. */
export function isOunce(measure: Measure): boolean {
  return measure.kind === "mass" && measure.isOunces === true;
}

/** Finds the name that portions use for a thing, given any of its names. */
function finder<Name extends string>(table: Readonly<Record<Name, readonly string[]>>) {
  const rows = Object.entries<readonly string[]>(table) as [Name, readonly string[]][];
  const byName = new Map<string, Name>(
    rows.flatMap(([called, names]) => [called, ...names].map((name) => [name, called])),
  );
  return (name: string) => byName.get(name);
}

export const findHouseholdUnit = finder<string>(units.household);
/** A way to cut food for a cup: `diced` is `chopped`. */
export const findCut = finder<string>(units.cuts);

/** Weight of each size relative to the usual one, if a food lists no portion for it. */
export const SIZE_FACTORS = units.sizeFactors;
/** A size, as portions call it. */
export type Size = keyof typeof SIZE_FACTORS;
export const findSize = finder<Size>(units.sizes);

/** Whether the word is a measure, a household unit or a size. */
export function isUnit(word: string): boolean {
  return (findMeasure(word) ?? findHouseholdUnit(word) ?? findSize(word)) !== undefined;
}

/** Volumes of drinking vessels in milliliters, if a drink lists no portion for them. */
export const VESSEL_ML = mapOf(units.vesselMilliliters);

/** Weights in grams of a bite, pinch and the like, of any food or drink. */
export const MORSEL_GRAMS = mapOf(units.morselGrams);

/** Volumes in cups of vessels and handfuls of food, if a food lists no portion for them. */
export const VESSEL_CUPS = mapOf(units.vesselCups);

/** Contents in grams of a shop's cup by size (FNDDS). */
export const SHOP_CUP_GRAMS = mapOf(units.shopCupGrams);

/** Package weights of raw and dry food, in grams. */
export const RAW_PACK_GRAMS: ReadonlySet<number> = new Set(units.rawPackGrams);

/** The size that a word for thickness implies: a "thick" slice is large. */
export const THICKNESSES = new Map(Object.entries(units.thicknesses)) as ReadonlyMap<string, Size>;
