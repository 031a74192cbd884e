import { foldWords } from "../text/food-words.ts";

const LEGAL_FORMS = /(?: (?:inc|llc|ltd|co|corp|corporation|company|incorporated|lp|plc|sa))+$/u;
const EMPTY_WORDS = /\b(?:the|and)\b/gu;

/** The words that identify a brand: "ben jerrys" for "Ben & Jerry's Homemade, Inc.". */
export function brandWords(brand: string): string {
  const words = foldWords(brand).replace(LEGAL_FORMS, "");
  return words.replace(EMPTY_WORDS, " ").replace(/ +/gu, " ").trim();
}

const BRAND_WORDS_MAX = 4;

/** All runs of the words that may be a brand, longest first. */
export function possibleBrands(words: readonly string[]): string[] {
  const telling = words.filter((word) => word !== "the" && word !== "and");
  const brands = new Set<string>();
  for (let length = Math.min(BRAND_WORDS_MAX, telling.length); length > 0; length -= 1) {
    for (let at = 0; at + length <= telling.length; at += 1) {
      brands.add(telling.slice(at, at + length).join(" "));
    }
  }
  return [...brands];
}
