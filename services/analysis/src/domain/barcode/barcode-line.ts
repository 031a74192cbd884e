import { gtin14, hasGtinLength, isGtin } from "@nutrition/core/gtin";

import { cannotTell, type LineResult, withNote } from "../estimate/estimate.ts";
import { estimateLine, type LineInput } from "../estimate/estimator.ts";
import { type Food, SERVING } from "../foods/food.ts";
import type { LineReader } from "../line-reader.ts";
import { weighPortion } from "../portions/portion-weight.ts";
import { type Amount, NO_AMOUNT } from "../segmentation/amount.ts";
import { foldWords } from "../text/food-words.ts";
import { compilePattern } from "../text/patterns.ts";
import { wordsOf } from "../text/tokens.ts";
import { LISTS } from "../text/words.ts";

/** A barcode that a text names. */
export interface NamedBarcode {
  /** As written, with the label before it. */
  readonly written: string;
  readonly digits: string;
  /** The same in 14 digits; undefined if they are not a valid barcode. */
  readonly gtin: string | undefined;
}

/** Packaged foods by their barcodes of 14 digits; undefined if they could not be looked up. */
export type ProductsByBarcode = ReadonlyMap<string, Food> | undefined;

/** Introduces the digits, such as "barcode: " or "EAN ". */
const LABEL = String.raw`(?:\(?\b(?:bar ?codes?|ean|gtin|upc)(?:[- ]?(?:8|12|13|14))?(?: (?:is|was|number|no\.?))?\s*(?:[:#=]\s*)?)`;
/** What follows the digits of an amount or a decimal fraction, but not of a barcode. */
const NOT_MEASURED = String.raw`(?![\d%]|[.,:/]\d|\s*(?:k?g|mg|[cm]?l|oz|lbs?|k?cal|kj)\b)`;
const BARCODE = compilePattern(
  // In one run, or in groups as printed below the bars.
  [
    String.raw`${LABEL}(?<labeled>\d(?:[ -]?\d){3,19})(?!\d)\)?`,
    String.raw`(?<![\p{L}\d.,:/+#-])(?<bare>\d(?:[ -]?\d){6,13})${NOT_MEASURED}`,
  ].join("|"),
  "giu",
);
/** A date in eight digits. One in ten has a valid check digit by chance. */
const DAY = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const CHARACTERS_MAX = 1_500;

/**
 * Finds the barcodes in a text. Digits after "barcode" or "EAN" always count as one. Other digits count
 * if they are written together and have the length of a barcode, or if their check digit is valid.
 */
export function barcodesIn(text: string): NamedBarcode[] {
  return [...text.slice(0, CHARACTERS_MAX).matchAll(BARCODE)].flatMap((match) => {
    const { labeled, bare = "" } = match.groups ?? {};
    if (labeled === undefined && !isLikely(bare)) return [];
    const digits = (labeled ?? bare).replace(/\D/gu, "");
    return [{ written: match[0], digits, gtin: isGtin(digits) ? gtin14(digits) : undefined }];
  });
}

function isLikely(written: string): boolean {
  const digits = written.replace(/\D/gu, "");
  if (DAY.test(digits)) return false;
  return isGtin(digits) || (digits === written && hasGtinLength(digits));
}

/** The text without barcodes, and without the marks that they leave at its ends. */
export function withoutBarcodes(text: string): string {
  return barcodesIn(text)
    .reduce((kept, { written }) => kept.replace(written, " "), text)
    .replace(/\s+/gu, " ")
    .replace(/^[\s,:;-]+|(?<![\s,:;-])[\s,:;-]+$/gu, "");
}

/** The barcodes of a line; those in its correction or its details replace those in its text. */
export function barcodesOf({ correction, details, line }: LineInput): readonly NamedBarcode[] {
  return [correction, details, line].map(barcodesIn).find(({ length }) => length > 0) ?? [];
}

/** Confidence in the figures of a label. */
const LABEL_CONFIDENCE = 0.95;
/** Factor of the confidence if a barcode was not used. */
const UNUSED_FACTOR = 0.8;

/**
 * Estimates a line with the product that its barcode names as one of its foods, by the figures of the
 * label. Figures that the person states, and their own earlier correction, take precedence. If the
 * barcode is invalid or unknown, the food is estimated by its name and the comment says so. A line with
 * nothing but such a barcode is refused. Undefined if the line has none.
 */
export function estimateBarcodeLine(
  input: LineInput,
  products: ProductsByBarcode,
  reader: LineReader,
): LineResult | undefined {
  const [barcode, ...more] = barcodesOf(input);
  if (!barcode) return undefined;
  const food = more.length === 0 ? products?.get(barcode.gtin ?? "") : undefined;
  const named = { ...input, ...(food && productIn(input, { ...barcode, food }, reader)) };
  const result = estimateLine(withoutItsBarcodes(named), reader);
  if (result.kind === "estimate" && result.provenance !== "food_table") return result;
  if (food) return withNote(result, sourceOf(food));
  const problem = problemOf([barcode, ...more], products);
  return result.kind === "estimate"
    ? withNote(result, problem, UNUSED_FACTOR)
    : cannotTell(problem);
}

/** A remembered item is kept only if it has the line's barcodes: a similar name is not enough. */
function withoutItsBarcodes(input: LineInput): LineInput {
  const digitsIn = (text: string) => `${barcodesIn(text).map(({ digits }) => digits)}`;
  return {
    ...input,
    line: withoutBarcodes(input.line),
    details: withoutBarcodes(input.details),
    correction: withoutBarcodes(input.correction),
    remembered: input.remembered
      .filter(({ text }) => digitsIn(text) === digitsIn(input.line))
      .map((item) => ({ ...item, text: withoutBarcodes(item.text) })),
  };
}

/** Why a barcode has no product, and what to do. */
function problemOf(barcodes: readonly NamedBarcode[], products: ProductsByBarcode): string {
  const [{ digits = "", gtin = undefined } = {}, ...others] = barcodes;
  if (others.length > 0) return "Write each barcode on a line of its own, with its amount.";
  if (!hasGtinLength(digits)) {
    return `${digits} is not a barcode, which has 8, 12, 13 or 14 digits. Compare it with the package.`;
  }
  if (gtin === undefined) {
    return `${digits} is not a valid barcode: its last digit does not fit the others. Compare it with the package.`;
  }
  if (!products) {
    return `Barcode ${digits} cannot be looked up right now. Name the food, or try again in a minute.`;
  }
  return `No product is known by the barcode ${digits}. Name the food or state its calories.`;
}

/** Who is to be credited for a food, by the table of its reference. */
const PUBLISHERS: Readonly<Record<string, string>> = {
  off: "Open Food Facts (ODbL)",
  fdc: "USDA FoodData Central",
};

function sourceOf({ name, brand, reference }: Food): string {
  const publisher = PUBLISHERS[reference.split(":")[0] ?? ""] ?? "an imported table";
  return `From the label of “${name}”${brand ? ` (${brand})` : ""} in ${publisher}.`;
}

/** What separates a product from other foods. Not commas, which product names may contain. */
const SEPARATOR =
  /(?<!\s)\s+(?:and|with|plus|mit|und|con|y|avec|et|e|com)\s+|(?:(?<!\s)\s+)?[+;&]\s*/iu;

/** The product in the amount that the text or the part with the barcode states, and the other parts. */
function productIn(
  input: LineInput,
  { written, digits, food }: NamedBarcode & { food: Food },
  reader: LineReader,
) {
  const { line, details, correction } = input;
  const about = [correction, details].find((text) => text.includes(written));
  const parts = line.split(SEPARATOR);
  const own = mostSimilar(parts, about ?? written);
  const part = parts[own] ?? "";
  const amount = amountIn(about === undefined ? [part, details] : [about, part], food, reader);
  const weight = weighPortion(food, amount, { role: "main" });
  const labelled = { ...food, certaintyMax: LABEL_CONFIDENCE * weight.certainty };
  const match = { food: labelled, score: 1, unmatched: [] };
  const product = { text: `barcode ${digits}`, match, amount, weight };
  return { product, others: withoutBarcodes(parts.toSpliced(own, 1).join(" and ")) };
}

/** Index of the part that shares most words with the text; the first of several. */
function mostSimilar(parts: readonly string[], text: string): number {
  const words = new Set(foldWords(text).split(" "));
  const isShared = (word: string) => words.has(word);
  const shared = parts.map((part) => foldWords(part).split(" ").filter(isShared).length);
  return shared.indexOf(Math.max(...shared));
}

/** The first amount in the texts; each is also read in pieces, as a product's name may contain commas. */
function amountIn(said: readonly string[], food: Food, reader: LineReader): Amount {
  for (const piece of said
    .map(withoutBarcodes)
    .flatMap((text) => [text, ...text.split(/[,()]/u)])) {
    const { amount, name } = reader.quantify(piece);
    if (amount.measure || amount.unit) return packaged(amount, food.portions);
    if (!amount.counted && !amount.size) continue;
    // "2 biscuits", if the label gives the weight of a biscuit.
    const unit = wordsOf(name).find((word) => food.portions.has(word));
    return unit === undefined ? amount : { ...amount, unit };
  }
  return NO_AMOUNT;
}

/** A bottle or jar means the package, or else a serving, unless the label gives the weight of one. */
function packaged(amount: Amount, portions: ReadonlyMap<string, number>): Amount {
  const { unit = "" } = amount;
  const isPackage = LISTS.packages.has(unit) && !portions.has(unit);
  return isPackage ? { ...amount, unit: portions.has("packet") ? "packet" : SERVING } : amount;
}
