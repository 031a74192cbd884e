import { oneLetterAway, singular } from "./spelling.ts";

/** What a word of English names that nobody eats; an `idea` is anything abstract. */
export type Named = "being" | "matter" | "thing" | "place" | "person" | "idea";

const NAMED: ReadonlySet<string> = new Set([
  "being",
  "matter",
  "thing",
  "place",
  "person",
  "idea",
] satisfies Named[]);
/** Shortest word that is taken for a misspelt one; shorter than the other, it is an abbreviation. */
const MISSPELT_MIN = 5;
const BEGINNING_MIN = 4;
/** Endings by which English makes words for what food is like: "garlicky", "homestyle". */
const DESCRIBING =
  /(?:k?y|al|ish|less|ful|ed|ing|ly|ier|iest|est|style|made|cooked|baked|grown|fed|cut|free|fried|roasted|grilled|smoked|room|night|time|side)$/u;

/** The words of English, so that none is taken for a misspelt food, and what kind of thing each names. */
export class Lexicon {
  readonly #kinds = new Map<string, Named | undefined>();
  readonly #qualities = new Set<string>();

  /** `rows` are words with what they name; `quality` for adjectives, anything else for no thing. */
  constructor(rows: Iterable<readonly [word: string, kind: string]>) {
    for (const [word, kind] of rows) {
      if (kind === "quality") this.#qualities.add(word);
      const named = NAMED.has(kind) ? (kind as Named) : undefined;
      this.#kinds.set(word, named);
      // "Ares" is no plural of "are".
      if (!this.has(singular(word))) this.#kinds.set(singular(word), named);
    }
  }

  /** Whether it is a word of English. */
  has(word: string): boolean {
    return this.#kinds.has(word);
  }

  /** What it names; undefined for food, for words that name no thing and for those of no language. */
  kindOf(word: string): Named | undefined {
    return this.#kinds.get(word);
  }

  /** Whether a dish named for it cannot be what is known: "dragon steak", "gravel soup". */
  isSubstance(word: string): boolean {
    const kind = this.kindOf(word);
    return kind === "being" || kind === "matter";
  }

  /** Whether it is the name of something that nobody eats. */
  isInedible(word: string): boolean {
    const kind = this.kindOf(word);
    return kind !== undefined && kind !== "place" && kind !== "idea";
  }

  /**
   * Whether food can be described by the word: "smoky", "Tuscan", "homestyle", also misspelt. No
   * "pirate" and no "algebra" describes food, and of "grunkle" nobody knows what it means.
   */
  describes(word: string): boolean {
    const kind = this.kindOf(word);
    if (this.has(word)) return kind === undefined || kind === "place";
    if (word.length < BEGINNING_MIN) return true;
    const beginning = word.replace(DESCRIBING, "");
    const isMade = beginning !== word && beginning.length >= BEGINNING_MIN;
    if (isMade && (this.has(beginning) || this.has(`${beginning}e`))) return true;
    if (word.length < MISSPELT_MIN) return false;
    const likely = oneLetterAway(word).filter((near) => near.startsWith(word.charAt(0)));
    return likely.some((near) => this.#qualities.has(near));
  }
}
