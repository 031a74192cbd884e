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

  /** Whether a run is under way. */
  get isRunning(): boolean {
    return this.#until !== Infinity;
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
    if (this.isRunning) return run();
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
 * A cache of one run of work, so that the cost of a line never depends on earlier lines. Nothing is cached
 * outside runs, which nothing would bound.
 */
export class Recent<Value> {
  readonly #values = new Map<string, Value>();
  readonly #work: Work;
  #run = 0;

  constructor(work: Work) {
    this.#work = work;
  }

  /** The cached value of a key; created if missing. */
  get(key: string, make: () => Value): Value {
    if (!this.#work.isRunning) return make();
    if (this.#run !== this.#work.run) this.#values.clear();
    this.#run = this.#work.run;
    if (!this.#values.has(key)) this.#values.set(key, make());
    return this.#values.get(key) as Value;
  }
}
