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
