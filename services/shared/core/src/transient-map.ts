/** Its members are emptied when they leave the map. */
interface Entry<Value> {
  value: Value | undefined;
}

/**
 * A `Map` for members that come and go, such as calls in flight. When V8 replaces the table of a
 * `Map`, the old table refers to its successor. A table that survived in the old generation
 * therefore keeps all later ones, with the members that they had, until the next full collection.
 * In a `Map`, that was everything that belongs to a call (docs/decisions/0044). Here, it is an
 * empty entry.
 */
export class TransientMap<Key, Value> {
  readonly #entries = new Map<Key, Entry<Value>>();

  get size(): number {
    return this.#entries.size;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Adds a member under a key that is not in use. */
  add(key: Key, value: Value): void {
    this.#entries.set(key, { value });
  }

  /** Removes and returns a member. */
  take(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    const { value } = entry;
    entry.value = undefined;
    return value;
  }

  /** Keys in the order in which their members were added. */
  keys(): MapIterator<Key> {
    return this.#entries.keys();
  }
}
