import { nearestWord } from "../text/words.ts";
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
  readonly #byLetter = new Map<string, string[]>();
  readonly #work: Work;

  /** `work` counts words compared letter by letter. */
  constructor(work: Work) {
    this.#work = work;
  }

  add(entry: Entry, words: ReadonlySet<string>): void {
    for (const word of words) {
      if (!push(this.#byWord, word, entry)) push(this.#byLetter, word.charAt(0), word);
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
    const isAlike = (like: string) => Math.abs(like.length - word.length) <= EDITS_MAX;
    const alike = (this.#byLetter.get(word.charAt(0)) ?? []).filter(isAlike);
    this.#work.add(LETTERS_STEPS * alike.length);
    return nearestWord(
      word,
      alike.map((like) => ({ like, foods: this.having(like).length })),
      lettersMin + 1,
    );
  }
}

/** Adds a value to the key's list; returns whether the key was known. */
function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): boolean {
  const known = lists.get(key);
  if (known) known.push(value);
  else lists.set(key, [value]);
  return known !== undefined;
}
