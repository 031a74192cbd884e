/** Limits how many slots each name may hold at a time, such as the open requests of an account. */
export class InFlight {
  readonly #max: number;
  readonly #open = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Takes a slot and returns its release function, to be called once; undefined when none is free.
   */
  enter(name: string): (() => void) | undefined {
    if (this.#countOf(name) >= this.#max) return undefined;
    this.#open.set(name, this.#countOf(name) + 1);
    return () => this.#leave(name);
  }

  /** Forgets a name without open slots. */
  #leave(name: string): void {
    const left = this.#countOf(name) - 1;
    if (left === 0) this.#open.delete(name);
    else this.#open.set(name, left);
  }

  #countOf(name: string): number {
    return this.#open.get(name) ?? 0;
  }
}
