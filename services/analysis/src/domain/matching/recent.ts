/** Values by key, the latest so many of them. */
export class Recent<Value> {
  readonly #values = new Map<string, Value>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** The value of a key, made when it is not at hand. */
  get(key: string, make: () => Value): Value {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = make();
    const [oldest] = this.#values.keys();
    if (this.#values.size >= this.#max && oldest !== undefined) this.#values.delete(oldest);
    this.#values.set(key, value);
    return value;
  }
}
