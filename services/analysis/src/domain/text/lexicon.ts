import type { Catalogue } from "./food-words.ts";
import type { Language } from "./languages.ts";
import { isNear, singular } from "./spelling.ts";

/** What is known of the words of names and lines. */
export interface Vocabulary {
  /** English words. */
  readonly lexicon: Lexicon;
  /** The other languages that lines may be written in. */
  readonly languages: readonly Language[];
  /** The names of USDA's foods. */
  readonly catalogue: Catalogue;
}

const NAMED = ["being", "matter", "thing", "person", "idea", "trait", "deed"] as const;
/**
 * What a word names that no food is: `idea` covers everything abstract, `trait` adjectives, and `deed` forms of
 * verbs.
 */
export type Named = (typeof NAMED)[number];

const INEDIBLE: ReadonlySet<Named | undefined> = new Set(["being", "matter", "thing", "person"]);

/** Minimum length of a stem; shorter words may be abbreviations. */
const BEGINNING_MIN = 4;
/** English suffixes that form descriptions of food: "garlicky", "homestyle". */
const DESCRIBING =
  /(?:k?y|al|ish|less|ful|ed|ing|ly|ier|iest|est|style|made|cooked|baked|grown|fed|cut|free|fried|roasted|grilled|smoked|room|night|time|side)$/u;

/**
 * English vocabulary, so that no word is mistaken for a misspelt food, with the kind of thing that
 * each noun names.
 */
export class Lexicon {
  readonly #kinds = new Map<string, Named | undefined>();
  readonly #qualities = new Set<string>();

  /** `rows` pair each word with what it names; `quality` marks words that describe food. */
  constructor(rows: Iterable<readonly [word: string, kind: string]>) {
    for (const [word, kind] of rows) {
      if (kind === "quality") this.#qualities.add(word);
      const named = NAMED.find((known) => known === kind);
      this.#kinds.set(word, named);
      // "Ares" is not the plural of "are".
      if (!this.has(singular(word))) this.#kinds.set(singular(word), named);
    }
  }

  /** Whether it is an English word. */
  has(word: string): boolean {
    return this.#kinds.has(word);
  }

  /** What it names; undefined for food, for words that name nothing and for unknown words. */
  kindOf(word: string): Named | undefined {
    return this.#kinds.get(word);
  }

  /** Whether it is said of food: alone, it is the name of no food. */
  isQuality(word: string): boolean {
    return this.#qualities.has(word);
  }

  /** Whether it names something inedible. */
  isInedible(word: string): boolean {
    return INEDIBLE.has(this.kindOf(word));
  }

  /** Whether the word can describe food, even misspelt: "smoky", "homestyle", but neither "pirate" nor "grunkle". */
  describes(word: string): boolean {
    if (this.has(word)) return this.kindOf(word) === undefined;
    if (word.length < BEGINNING_MIN) return true;
    const beginning = word.replace(DESCRIBING, "");
    const isMade = beginning !== word && beginning.length >= BEGINNING_MIN;
    if (isMade && (this.has(beginning) || this.has(`${beginning}e`))) return true;
    const isLike = (near: string) => near.startsWith(word.charAt(0)) && isNear(word, near, 1);
    return word.length > BEGINNING_MIN && this.#qualities.values().some(isLike);
  }
}
