import { gtin14, hasGtinLength, isGtin } from "@nutrition/core/gtin";

/** A barcode that a text names. */
export interface NamedBarcode {
  /** As it was written, without spaces. */
  readonly digits: string;
  /** In 14 digits; undefined for one that is none. */
  readonly gtin: string | undefined;
  /** Where the barcode and the word for it stand in the text. */
  readonly start: number;
  readonly end: number;
}

/** "Barcode: ", "EAN " before the digits. */
const LABEL = String.raw`(?:\(?\b(?:bar ?codes?|ean|gtin|upc)(?:[- ]?(?:8|12|13|14))?(?: (?:is|was|number|no\.?))?\s*[:#=]?\s*)`;
/** Digits in one run, or in groups as they stand below the bars. */
const DIGITS = String.raw`\d(?:[ -]?\d){6,13}`;
/** An amount or a decimal fraction goes on where a barcode ends. */
const NO_AMOUNT = String.raw`(?![\d%]|[.,:/]\d|\s*(?:k?g|mg|[cm]?l|oz|lbs?|k?cal|kj)\b)`;
const LABELED = new RegExp(String.raw`${LABEL}(\d(?:[ -]?\d){3,19})(?!\d)\)?`, "giu");
const BARE = new RegExp(String.raw`(?<![\p{L}\d.,:/+#-])(${DIGITS})${NO_AMOUNT}`, "giu");
/** Eight digits that are a day, one in ten of which has a right check digit. */
const DAY = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
/** Longest text that is searched. */
const CHARACTERS_MAX = 1_500;

/**
 * The barcodes of a text. Digits behind "barcode" or "EAN" are meant as one in any case; others are
 * when they are as many as a barcode has and stand together, or when they stand in groups and their
 * check digit is right.
 */
export function barcodesIn(text: string): NamedBarcode[] {
  const searched = text.slice(0, CHARACTERS_MAX);
  const labeled = [...searched.matchAll(LABELED)].map(namedIn);
  const isApart = ({ start, end }: NamedBarcode) =>
    labeled.every((other) => end <= other.start || start >= other.end);
  const bare = [...searched.matchAll(BARE)]
    .filter(([, digits = ""]) => isMeant(digits))
    .map(namedIn)
    .filter(isApart);
  return [...labeled, ...bare].sort((one, other) => one.start - other.start);
}

/** The text without that part of it. */
export function without(text: string, { start, end }: NamedBarcode): string {
  return `${text.slice(0, start)} ${text.slice(end)}`.replace(/\s+/gu, " ").trim();
}

function namedIn(match: RegExpMatchArray): NamedBarcode {
  const digits = (match[1] ?? "").replace(/\D/gu, "");
  const start = match.index ?? 0;
  const gtin = isGtin(digits) ? gtin14(digits) : undefined;
  return { digits, gtin, start, end: start + match[0].length };
}

function isMeant(written: string): boolean {
  const digits = written.replace(/\D/gu, "");
  if (DAY.test(digits)) return false;
  return isGtin(digits) || (digits === written && hasGtinLength(digits));
}
