import { nearestWord } from "../text/spelling.ts";
import type { Work } from "./work.ts";

/** Steps of work of a comparison letter by letter, relative to one of words. */
const LETTERS_STEPS = 2;
/** Minimum and maximum length of words whose spelling is corrected, and maximum corrections. */
const CORRECTED_MIN = 5;
const CORRECTED_MAX = 24;
const EDITS_MAX = 2;

/** In-memory index of entries by the words of their names. */
export class WordIndex<Entry> {
  readonly #byWord = new Map<string, Entry[]>();
  /** Words by first letter and length. */
  readonly #byShape = new Map<string, string[]>();
  readonly #work: Work;

  /** `work` counts words compared letter by letter. */
  constructor(work: Work) {
    this.#work = work;
  }

  add(entry: Entry, words: ReadonlySet<string>): void {
    for (const word of words) {
      if (!push(this.#byWord, word, entry)) push(this.#byShape, shapeOf(word, word.length), word);
    }
  }

  having(word: string): readonly Entry[] {
    return this.#byWord.get(word) ?? [];
  }

  knows(word: string): boolean {
    return this.#byWord.has(word);
  }

  /** The word of a name that an unknown word most likely is; undefined if none is close. */
  nearest(word: string, lettersMin = CORRECTED_MIN): string | undefined {
    if (word.length < lettersMin || word.length > CORRECTED_MAX) return undefined;
    const lengths = Array.from(
      { length: 2 * EDITS_MAX + 1 },
      (_, at) => word.length - EDITS_MAX + at,
    );
    const alike = lengths.flatMap((length) => this.#byShape.get(shapeOf(word, length)) ?? []);
    this.#work.add(LETTERS_STEPS * alike.length);
    return nearestWord(
      word,
      alike.map((like) => ({ like, foods: this.having(like).length })),
      lettersMin + 1,
    );
  }
}

function shapeOf(word: string, length: number): string {
  return `${word.charAt(0)}${length}`;
}

/** Adds a value to the key's list; returns whether the key was known. */
function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): boolean {
  const known = lists.get(key);
  if (known) known.push(value);
  else lists.set(key, [value]);
  return known !== undefined;
}
