import { singular } from "./spelling.ts";

/** What a word of English names that nobody eats. */
export type Named = "being" | "matter" | "thing" | "place";

const NAMED: ReadonlySet<string> = new Set(["being", "matter", "thing", "place"] satisfies Named[]);

/** The words of English, so that none is taken for a misspelt food, and what kind of thing each names. */
export class Lexicon {
  readonly #kinds = new Map<string, Named | undefined>();

  /** `rows` are words with what they name; anything else than a kind for a word that names no thing. */
  constructor(rows: Iterable<readonly [word: string, kind: string]>) {
    for (const [word, kind] of rows) {
      const named = NAMED.has(kind) ? (kind as Named) : undefined;
      for (const form of new Set([word, singular(word)])) {
        this.#kinds.set(form, this.#kinds.get(form) ?? named);
      }
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

  /** Whether a dish can be named for it and not be what is known: "dragon steak", "gravel soup". */
  isSubstance(word: string): boolean {
    const kind = this.kindOf(word);
    return kind === "being" || kind === "matter";
  }
}
