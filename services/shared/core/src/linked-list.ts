/** A node of a `LinkedList`. */
export interface LinkedNode<Value> {
  readonly value: Value;
  previous: LinkedNode<Value> | undefined;
  next: LinkedNode<Value> | undefined;
}

/**
 * A first-in, first-out list whose members can also be removed from the middle. Every operation
 * takes constant time, unlike an array's `shift` or removing the first member of a `Set`.
 */
export class LinkedList<Value> {
  #first: LinkedNode<Value> | undefined;
  #last: LinkedNode<Value> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): Value | undefined {
    return this.#first?.value;
  }

  /** Appends the value. Pass the returned node to `remove`. */
  push(value: Value): LinkedNode<Value> {
    const node: LinkedNode<Value> = { value, previous: this.#last, next: undefined };
    if (this.#last) this.#last.next = node;
    else this.#first = node;
    this.#last = node;
    this.#size += 1;
    return node;
  }

  /** Removes and returns the first value. */
  shift(): Value | undefined {
    const node = this.#first;
    if (node) this.remove(node);
    return node?.value;
  }

  /** Removes a node that is in this list. */
  remove(node: LinkedNode<Value>): void {
    if (node.previous) node.previous.next = node.next;
    else this.#first = node.next;
    if (node.next) node.next.previous = node.previous;
    else this.#last = node.previous;
    // A removed node in the old generation would keep all later ones until the next full collection.
    node.previous = undefined;
    node.next = undefined;
    this.#size -= 1;
  }
}
