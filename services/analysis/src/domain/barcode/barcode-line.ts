import { gtin14, hasGtinLength, isGtin } from "@nutrition/core/gtin";

import type { LineInput } from "../estimate/estimator.ts";

export interface NamedBarcode {
  /** Its digits as written. */
  readonly digits: string;
  /** The same in 14 digits; undefined if they are not a valid barcode. */
  readonly gtin: string | undefined;
  /** Position in the text, with the label before it. */
  readonly start: number;
  readonly end: number;
}

/** A line that has a barcode, in its text or in what was said about it. */
export interface BarcodeLine {
  readonly barcodes: readonly NamedBarcode[];
  /** Texts that may state the product's amount, most specific first. */
  readonly said: readonly string[];
  /** The other foods of the line; empty for none. */
  readonly others: string;
  /** The input without its barcodes. */
  readonly rest: LineInput;
}

/** Introduces the digits, such as "barcode: " or "EAN ". */
const LABEL = String.raw`(?:\(?\b(?:bar ?codes?|ean|gtin|upc)(?:[- ]?(?:8|12|13|14))?(?: (?:is|was|number|no\.?))?\s*[:#=]?\s*)`;
/** Digits in one run, or in groups as printed below the bars. */
const DIGITS = String.raw`\d(?:[ -]?\d){6,13}`;
/** What follows the digits of an amount or a decimal fraction, but not of a barcode. */
const NO_AMOUNT = String.raw`(?![\d%]|[.,:/]\d|\s*(?:k?g|mg|[cm]?l|oz|lbs?|k?cal|kj)\b)`;
const BARCODE = new RegExp(
  [
    String.raw`${LABEL}(?<labeled>\d(?:[ -]?\d){3,19})(?!\d)\)?`,
    String.raw`(?<![\p{L}\d.,:/+#-])(?<bare>${DIGITS})${NO_AMOUNT}`,
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
    const gtin = isGtin(digits) ? gtin14(digits) : undefined;
    return [{ digits, gtin, start: match.index, end: match.index + match[0].length }];
  });
}

function isLikely(written: string): boolean {
  const digits = written.replace(/\D/gu, "");
  if (DAY.test(digits)) return false;
  return isGtin(digits) || (digits === written && hasGtinLength(digits));
}

/** What separates a product from other foods. Not commas, which product names may contain. */
const SEPARATOR = /\s+(?:and|with|plus|mit|und|con|y|avec|et|e|com)\s+|\s*[+;&]\s*/iu;
const WORD = /\p{L}{3,}/gu;
const FIELDS = ["line", "details", "correction"] as const;

/** Finds the barcode of a line; undefined if there is none. The last one that was said counts. */
export function readBarcodeLine(input: LineInput): BarcodeLine | undefined {
  const field = FIELDS.findLast((name) => barcodesIn(input[name]).length > 0);
  if (!field) return undefined;
  const rest = withoutBarcodes(input);
  const parts = input.line.split(SEPARATOR);
  const own =
    field === "line"
      ? parts.findLastIndex((part) => barcodesIn(part).length > 0)
      : mostSimilar(parts, rest[field]);
  const part = plain(parts[own] ?? "");
  return {
    barcodes: barcodesIn(input[field]),
    said: field === "line" ? [part, rest.details] : [rest[field], part],
    others: parts.toSpliced(own, 1).join(" and "),
    rest,
  };
}

/** A remembered item is kept only if it has the line's barcodes: a similar name is not enough. */
function withoutBarcodes(input: LineInput): LineInput {
  const own = digitsIn(input.line);
  return {
    ...input,
    line: plain(input.line),
    details: plain(input.details),
    correction: plain(input.correction),
    remembered: input.remembered
      .filter(({ text }) => digitsIn(text) === own)
      .map((item) => ({ ...item, text: plain(item.text) })),
  };
}

function digitsIn(text: string): string {
  return barcodesIn(text)
    .map(({ digits }) => digits)
    .join(" ");
}

/** The text without barcodes, and without the marks that they leave at its ends. */
function plain(text: string): string {
  return barcodesIn(text)
    .reduceRight((kept, { start, end }) => `${kept.slice(0, start)} ${kept.slice(end)}`, text)
    .replace(/\s+/gu, " ")
    .replace(/^[\s,:;-]+|[\s,:;-]+$/gu, "");
}

/** Index of the part that shares most words with the text; the first of several. */
function mostSimilar(parts: readonly string[], text: string): number {
  const words = new Set(text.toLowerCase().match(WORD));
  const shared = parts.map(
    (part) => (part.toLowerCase().match(WORD) ?? []).filter((word) => words.has(word)).length,
  );
  return shared.indexOf(Math.max(...shared));
}
