import { LinkedList } from "./linked-list.ts";
import type { LinkedNode } from "./linked-list.ts";

export interface PlacesOptions {
  /** Places in all. */
  max: number;
  /** Places of one key; without it, one key may take them all while nobody else wants any. */
  maxPerKey?: number | undefined;
}

/** What a holder may do with its place. */
export interface Place {
  /** Notes progress, so that holders that have been idle for longer are put out first. */
  touch(): void;
  /** Gives the place back. Further calls do nothing. */
  leave(): void;
}

interface Holder {
  readonly owner: Owner;
  readonly putOut: () => void;
  /** Undefined once it has left. */
  node: LinkedNode<Holder> | undefined;
}

/** A key with its holders, the longest idle first. */
interface Owner {
  readonly key: string;
  readonly holders: LinkedList<Holder>;
}

/**
 * Places that are held while a client is waited for: connections, bodies that arrive, responses that are being read.
 * Newcomers are never refused. If they exceed the share of their key (a network), the key's longest idle holder is
 * put out; if they exceed the total, the longest idle holder of the key with the most places. So nobody keeps
 * others out by holding many places, and a key with few keeps them. Every operation takes constant time.
 */
export class Places {
  readonly #max: number;
  readonly #maxPerKey: number;
  readonly #owners = new Map<string, Owner>();
  /** Owners by how many places they hold; the index is that number. */
  readonly #bySize: Set<Owner>[] = [];
  #taken = 0;

  constructor({ max, maxPerKey = max }: PlacesOptions) {
    this.#max = max;
    this.#maxPerKey = maxPerKey;
  }

  /** How many places are taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Takes a place for `key`. `putOut` is called once if the holder must make room for another. */
  enter(key: string, putOut: () => void): Place {
    const owner = this.#ownerOf(key);
    const holder: Holder = { owner, putOut, node: undefined };
    this.#resize(owner, () => (holder.node = owner.holders.push(holder)));
    this.#taken += 1;
    if (owner.holders.size > this.#maxPerKey) this.#putOutFirstOf(owner);
    else if (this.#taken > this.#max) this.#putOutFirstOf(this.#largestOwner());
    return {
      touch: () => {
        if (!holder.node) return;
        owner.holders.remove(holder.node);
        holder.node = owner.holders.push(holder);
      },
      leave: () => this.#leave(holder),
    };
  }

  #ownerOf(key: string): Owner {
    const known = this.#owners.get(key);
    if (known) return known;
    const owner: Owner = { key, holders: new LinkedList() };
    this.#owners.set(key, owner);
    return owner;
  }

  #putOutFirstOf({ holders }: Owner): void {
    const holder = holders.first as Holder;
    this.#leave(holder);
    holder.putOut();
  }

  #leave(holder: Holder): void {
    const { owner, node } = holder;
    if (!node) return;
    holder.node = undefined;
    this.#taken -= 1;
    this.#resize(owner, () => owner.holders.remove(node));
  }

  /** Adds or removes one holder. */
  #resize(owner: Owner, change: () => void): void {
    const { key, holders } = owner;
    this.#bySize[holders.size]?.delete(owner);
    change();
    if (holders.size === 0) this.#owners.delete(key);
    else (this.#bySize[holders.size] ??= new Set()).add(owner);
    while (this.#bySize.length > 0 && !this.#bySize.at(-1)?.size) this.#bySize.pop();
  }

  /** Of several, the one that has had its number of places for longest. */
  #largestOwner(): Owner {
    const [owner] = this.#bySize.at(-1) as Set<Owner>;
    return owner as Owner;
  }
}
