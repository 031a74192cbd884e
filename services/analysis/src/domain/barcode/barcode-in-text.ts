import { gtin14, hasGtinLength, isGtin } from "@nutrition/core/gtin";

export interface NamedBarcode {
  /** Its digits as written. */
  readonly digits: string;
  /** The same in 14 digits; undefined if they are not a valid barcode. */
  readonly gtin: string | undefined;
  /** Position in the text, with the label before it. */
  readonly start: number;
  readonly end: number;
}

/** A label before the digits, such as "barcode: " or "EAN ". */
const LABEL = String.raw`(?:\(?\b(?:bar ?codes?|ean|gtin|upc)(?:[- ]?(?:8|12|13|14))?(?: (?:is|was|number|no\.?))?\s*[:#=]?\s*)`;
/** Digits in one run, or in groups as printed below the bars. */
const DIGITS = String.raw`\d(?:[ -]?\d){6,13}`;
/** What follows the digits of an amount or a decimal fraction, but not of a barcode. */
const NO_AMOUNT = String.raw`(?![\d%]|[.,:/]\d|\s*(?:k?g|mg|[cm]?l|oz|lbs?|k?cal|kj)\b)`;
const LABELED = new RegExp(String.raw`${LABEL}(\d(?:[ -]?\d){3,19})(?!\d)\)?`, "giu");
const BARE = new RegExp(String.raw`(?<![\p{L}\d.,:/+#-])(${DIGITS})${NO_AMOUNT}`, "giu");
/** A date in eight digits. One in ten has a valid check digit by chance. */
const DAY = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const CHARACTERS_MAX = 1_500;

/**
 * Finds the barcodes in a text. Digits after "barcode" or "EAN" always count as one. Other digits count
 * if they are written together and have the length of a barcode, or if their check digit is valid.
 */
export function barcodesIn(text: string): NamedBarcode[] {
  const searched = text.slice(0, CHARACTERS_MAX);
  const labeled = [...searched.matchAll(LABELED)].map(namedIn);
  const isApart = ({ start, end }: NamedBarcode) =>
    labeled.every((other) => end <= other.start || start >= other.end);
  const bare = [...searched.matchAll(BARE)]
    .filter(([, digits = ""]) => isLikely(digits))
    .map(namedIn)
    .filter(isApart);
  return [...labeled, ...bare].sort((one, other) => one.start - other.start);
}

/** The text without that barcode. */
export function without(text: string, { start, end }: NamedBarcode): string {
  return `${text.slice(0, start)} ${text.slice(end)}`.replace(/\s+/gu, " ").trim();
}

function namedIn(match: RegExpMatchArray): NamedBarcode {
  const digits = (match[1] ?? "").replace(/\D/gu, "");
  const start = match.index ?? 0;
  const gtin = isGtin(digits) ? gtin14(digits) : undefined;
  return { digits, gtin, start, end: start + match[0].length };
}

function isLikely(written: string): boolean {
  const digits = written.replace(/\D/gu, "");
  if (DAY.test(digits)) return false;
  return isGtin(digits) || (digits === written && hasGtinLength(digits));
}
