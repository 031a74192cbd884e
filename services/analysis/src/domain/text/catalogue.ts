import { foldWords, isClass } from "./food-words.ts";
import { respell, singular } from "./spelling.ts";
import type { Spellings } from "./spelling.ts";

/** What names say after their noun: "cheddar" and "sharp" of "Cheese, cheddar, sharp". */
export class Catalogue {
  readonly #spellings: Spellings;
  /** What follows each noun, as written. */
  readonly #written = new Map<string, string[]>();
  /** The same as lines are read, for the nouns that were asked for. */
  readonly #kinds = new Map<string, readonly string[]>();

  /** `names` begin with a noun, or with a class and a noun, as USDA's do. */
  constructor(names: Iterable<string>, spellings: Spellings) {
    this.#spellings = spellings;
    for (const name of names) {
      // "Beef, potatoes, and vegetables" lists foods.
      if (name.includes(", and ")) continue;
      const [first = "", second = "", ...rest] = name.toLowerCase().split(", ");
      this.#add(first, [second, ...rest]);
      if (isClass(first)) this.#add(second, rest);
    }
  }

  #add(noun: string, pieces: readonly string[]): void {
    const known = this.#written.get(singular(noun));
    if (known) known.push(...pieces);
    else this.#written.set(singular(noun), [...pieces]);
  }

  /** Whether a name with this noun also has a piece that begins with these words. */
  lists(noun: string, words: string): boolean {
    return this.#kindsOf(noun).some((kind) => `${kind} `.startsWith(`${words} `));
  }

  /** Whether names say more of one noun than of the other. */
  isWider(noun: string, other: string): boolean {
    return this.#kindsOf(noun).length > this.#kindsOf(other).length;
  }

  #kindsOf(noun: string): readonly string[] {
    const written = this.#written.get(noun);
    if (!written) return [];
    const read = (piece: string) =>
      respell(foldWords(piece).split(" ").map(singular), this.#spellings).join(" ");
    const kinds = this.#kinds.get(noun) ?? [...new Set(written)].map(read);
    this.#kinds.set(noun, kinds);
    return kinds;
  }
}
