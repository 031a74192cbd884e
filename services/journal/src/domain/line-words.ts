import { NUMBER_WORDS } from "./number-words.ts";

/**
 * A number with thousands separators, with decimals, or as a fraction; or a word: "100ml" is two.
 */
const WORD = /\d{1,3}(?:,\d{3})+(?![\d.,])|\d+(?:[.,]\d+)?(?:[/⁄]\d+)?|\p{L}+|[^\P{N}\d]+/gu;

const VULGAR_FRACTION = /(?<=\d)(?=[¼-¾⅐-⅞])/gu;
const ELISION = /(?<!\p{L})[ld]['’](?=\p{L})/gu;
const POSSESSIVE = /(?<=\p{L})['’]s(?!\p{L})/gu;

/** The words of a text in lower case, without diacritics and punctuation; numbers as written. */
export function foldedWords(text: string): string[] {
  const folded = text
    .replace(VULGAR_FRACTION, " ")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(ELISION, "")
    .replace(POSSESSIVE, "");
  return folded.match(WORD) ?? [];
}

/** Like `foldedWords`, but equal numbers are equal whether they are written in words or in digits. */
export function comparableWords(text: string): string[] {
  return foldedWords(text).map((word) => (/^\d/.test(word) ? plainNumber(word) : inDigits(word)));
}

function inDigits(word: string): string {
  return NUMBER_WORDS.get(word) ?? word;
}

const THOUSANDS = /^\d{1,3}(?:,\d{3})+$/;

function plainNumber(number: string): string {
  const separated = THOUSANDS.test(number) ? number.replaceAll(",", "") : number.replace(",", ".");
  return separated
    .replace("⁄", "/")
    .replace(/^0+(?=\d)/, "")
    .replace(/(\.(?:\d*[1-9])?)0+$/, "$1")
    .replace(/\.$/, "");
}
