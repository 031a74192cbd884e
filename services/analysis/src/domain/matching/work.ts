/** Counts the steps of readings and stops expensive ones, which bounds the work of any text. */
export class Work {
  #steps = 0;
  #until = Infinity;
  #run = 0;

  /** Number of the current or last run. */
  get run(): number {
    return this.#run;
  }

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
    this.#run += 1;
    this.#until = this.#steps + stepsMax;
    try {
      return run();
    } finally {
      this.#until = Infinity;
    }
  }
}

/**
 * A cache of the latest values, valid within one run of work, so that the cost of a line never
 * depends on earlier lines.
 */
export class Recent<Value> {
  readonly #values = new Map<string, Value>();
  readonly #max: number;
  readonly #work: Work;
  #run = 0;

  constructor(max: number, work: Work) {
    this.#max = max;
    this.#work = work;
  }

  /** The cached value of a key; created if missing. */
  get(key: string, make: () => Value): Value {
    if (this.#run !== this.#work.run) this.#values.clear();
    this.#run = this.#work.run;
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = make();
    const [oldest] = this.#values.keys();
    if (this.#values.size >= this.#max && oldest !== undefined) this.#values.delete(oldest);
    this.#values.set(key, value);
    return value;
  }
}
