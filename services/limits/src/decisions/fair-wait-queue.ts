interface Waiting {
  limitRequest: { accountId: string };
}

/**
 * A queue of waiting decisions. Accounts take turns with one decision each, so that a busy account
 * does not delay others. Decisions of one account keep their order.
 */
export class FairWaitQueue<Item extends Waiting> {
  /** Accounts with waiting decisions, in the order of their turns. */
  readonly #accounts = new Map<string, Item[]>();
  #size = 0;

  /** Number of waiting decisions. */
  get size(): number {
    return this.#size;
  }

  /** Number of waiting decisions of an account. */
  sizeOf(accountId: string): number {
    return this.#accounts.get(accountId)?.length ?? 0;
  }

  push(item: Item): void {
    const { accountId } = item.limitRequest;
    const waiting = this.#accounts.get(accountId);
    if (waiting) waiting.push(item);
    else this.#accounts.set(accountId, [item]);
    this.#size += 1;
  }

  /** Removes and returns up to `most` decisions, only of accounts that are free. */
  take(most: number, isFree: (accountId: string) => boolean): Item[] {
    const taken: Item[] = [];
    let inTurn = [...this.#accounts.keys()].filter(isFree);
    while (inTurn.length > 0 && taken.length < most) {
      inTurn = inTurn.slice(0, most - taken.length);
      taken.push(...inTurn.map((accountId) => this.#takeFrom(accountId)));
      inTurn = inTurn.filter((accountId) => this.#accounts.has(accountId));
    }
    return taken;
  }

  #takeFrom(accountId: string): Item {
    const waiting = this.#accounts.get(accountId) as Item[];
    const item = waiting.shift() as Item;
    this.#accounts.delete(accountId);
    if (waiting.length > 0) this.#accounts.set(accountId, waiting);
    this.#size -= 1;
    return item;
  }
}
