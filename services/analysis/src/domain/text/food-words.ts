import usda from "../../../foods/words/usda.json" with { type: "json" };
import { respell, singular, words, LISTS } from "./words.ts";

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
export function stemsOf(words: string): string[] {
  const telling = words.split(" ").filter((word) => !LISTS.unstemmed.has(word));
  return [...new Set(telling.map(stem))];
}

const LEGAL_FORMS = words("inc llc ltd co corp corporation company incorporated lp plc sa");
const EMPTY_BRAND_WORDS = /\b(?:the|and)\b/gu;

/** The words that identify a brand: "ben jerrys" for "Ben & Jerry's Homemade, Inc.". */
export function brandWords(brand: string): string {
  const written = foldWords(brand).split(" ");
  const last = written.findLastIndex((word) => !LEGAL_FORMS.has(word));
  const name = written.slice(0, Math.max(last, 0) + 1).join(" ");
  return name.replace(EMPTY_BRAND_WORDS, " ").replace(/ +/gu, " ").trim();
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

/** What names say after their noun: "cheddar" and "sharp" of "Cheese, cheddar, sharp". */
export class Catalogue {
  /** What follows each noun, as written. */
  readonly #written = new Map<string, Set<string>>();
  /** The same as lines are read, for the nouns that were asked for. */
  readonly #kinds = new Map<string, readonly string[]>();

  /** `names` begin with a noun, or with a class and a noun, as USDA's do. */
  constructor(names: Iterable<string>) {
    for (const name of names) {
      // "Beef, potatoes, and vegetables" lists foods.
      if (name.includes(", and ")) continue;
      const [first = "", second = "", ...rest] = name.toLowerCase().split(", ");
      this.#add(first, [second, ...rest]);
      if (isClass(first)) this.#add(second, rest);
    }
  }

  #add(noun: string, pieces: readonly string[]): void {
    const known = this.#written.get(singular(noun)) ?? new Set();
    for (const piece of pieces) known.add(piece);
    this.#written.set(singular(noun), known);
  }

  /** Whether a name with this noun also has a piece that begins with these words. */
  lists(noun: string, words: string): boolean {
    const read = (piece: string) => respell(foldWords(piece).split(" ").map(singular)).join(" ");
    const kinds = this.#kinds.get(noun) ?? [...(this.#written.get(noun) ?? [])].map(read);
    this.#kinds.set(noun, kinds);
    return kinds.some((kind) => `${kind} `.startsWith(`${words} `));
  }
}
