import usda from "../../../foods/words/usda.json" with { type: "json" };
import { singular } from "./spelling.ts";
import { LISTS } from "./words.ts";

/** Maximum characters of a name; the rest is ignored. */
const NAME_MAX = 500;

/** Lowercases a text, removes accents, apostrophes and marks, and separates words by one space. */
export function foldWords(text: string): string {
  return text
    .slice(0, NAME_MAX)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/['’`´]/gu, "")
    .replace(/&/gu, " and ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** First parts of USDA names that state the food's group instead of the food. */
const CLASSES: ReadonlySet<string> = new Set(usda.classes);

/** Whether the normalized words state a food's group: "fish", "fast food". */
export function isClass(words: string): boolean {
  return CLASSES.has(singular(words));
}

/** The words of a name that say what the food is: "almonds" of "Nuts, almonds, dry roasted". */
export function headWords(name: string): string {
  const parts = name.split(",").map(foldWords);
  const [first = "", second = ""] = parts;
  return isClass(first) && second !== "" ? second : first;
}

/** The common stem of a word's forms: "toasted", "toast" and "toasts" share one. */
export function stem(word: string): string {
  const one = singular(word);
  return one.length < 5 ? one : one.replace(/(?:ed|ing|e|y)$/u, "");
}

/** The unique stems of normalized words, in order, without empty words. */
export function stemsOf(words: string, stemOf: (word: string) => string = stem): string[] {
  const telling = words.split(" ").filter((word) => !LISTS.unstemmed.has(word));
  return [...new Set(telling.map(stemOf))];
}

const LEGAL_FORMS = /(?: (?:inc|llc|ltd|co|corp|corporation|company|incorporated|lp|plc|sa))+$/u;
const EMPTY_BRAND_WORDS = /\b(?:the|and)\b/gu;

/** The words that identify a brand: "ben jerrys" for "Ben & Jerry's Homemade, Inc.". */
export function brandWords(brand: string): string {
  const words = foldWords(brand).replace(LEGAL_FORMS, "");
  return words.replace(EMPTY_BRAND_WORDS, " ").replace(/ +/gu, " ").trim();
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
