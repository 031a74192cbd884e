import type { Work } from "./work.ts";

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
