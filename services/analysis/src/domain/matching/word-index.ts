import { nearestWord } from "../text/spelling.ts";

/** Steps of work of a comparison letter by letter, relative to one of words. */
const LETTERS_STEPS = 2;
/** Minimum and maximum length of words whose spelling is corrected, and maximum corrections. */
const CORRECTED_MIN = 5;
const CORRECTED_MAX = 24;
const EDITS_MAX = 2;

/** In-memory index of entries by the words of their names. */
export class WordIndex<Entry> {
  readonly #byWord = new Map<string, Entry[]>();
  readonly #work: Work;

  /** `work` counts words compared letter by letter. */
  constructor(work: Work) {
    this.#work = work;
  }

  add(entry: Entry, words: ReadonlySet<string>): void {
    for (const word of words) {
      const known = this.#byWord.get(word);
      if (known) known.push(entry);
      else this.#byWord.set(word, [entry]);
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
    const isAlike = (like: string) =>
      like[0] === word[0] && Math.abs(like.length - word.length) <= EDITS_MAX;
    const alike = this.#byWord.keys().filter(isAlike).toArray();
    this.#work.add(LETTERS_STEPS * alike.length);
    return nearestWord(
      word,
      alike.map((like) => ({ like, foods: this.having(like).length })),
      lettersMin + 1,
    );
  }
}

/** Counts the steps of readings and stops expensive ones, which bounds the work of any text. */
export class Work {
  #steps = 0;
  #until = Infinity;
  readonly #caches: Map<string, unknown>[] = [];

  /** Steps so far: look-ups, compared names, and several for each word compared by letters. */
  get steps(): number {
    return this.#steps;
  }

  /** Whether the budget is used up; only exact look-ups may follow. */
  get isSpent(): boolean {
    return this.#steps >= this.#until;
  }

  add(steps: number): void {
    this.#steps += steps;
  }

  /** Runs with a budget of `stepsMax` steps, or with the remaining budget of an enclosing run. */
  within<Result>(stepsMax: number, run: () => Result): Result {
    if (this.#until !== Infinity) return run();
    for (const cache of this.#caches) cache.clear();
    this.#until = this.#steps + stepsMax;
    try {
      return run();
    } finally {
      this.#until = Infinity;
    }
  }

  /**
   * A cache of one run, so that the cost of a line never depends on earlier lines. Nothing is cached outside
   * runs, which nothing would bound.
   */
  cached<Value>() {
    const values = new Map<string, Value>();
    this.#caches.push(values);
    return (key: string, make: () => Value): Value => {
      if (this.#until === Infinity) return make();
      if (!values.has(key)) values.set(key, make());
      return values.get(key) as Value;
    };
  }
}
