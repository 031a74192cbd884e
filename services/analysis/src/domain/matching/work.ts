/** Counts the steps of readings and ends what is costly, so that no text costs more than so much. */
export class Work {
  #steps = 0;
  #until = Infinity;
  #run = 0;

  /** Number of the run that is or was the last one. */
  get run(): number {
    return this.#run;
  }

  /** Steps so far: look-ups, names compared and, for several each, words compared by letters. */
  get steps(): number {
    return this.#steps;
  }

  /** Whether only look-ups of exact names may follow. */
  get isSpent(): boolean {
    return this.#steps >= this.#until;
  }

  add(steps: number): void {
    this.#steps += steps;
  }

  /** Runs with at most so many steps; inside of another such run, with what that one has left. */
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
 * Values of one run of work by key, the latest so many of them: what a line costs does not depend on
 * what was read before it.
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

  /** The value of a key, made when it is not at hand. */
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
