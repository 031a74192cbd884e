/** An event as one policy sees it. */
interface CountedEvent {
  atUs: number;
  units: number;
  reserved: boolean;
}

/**
 * Units of one policy in the window that ends now. Made from events, it is exact and knows when
 * units come back; made from a stored bound, it may be too high but never too low.
 */
export class WindowCounter {
  #units = 0;
  #oldestUs: number | undefined;
  readonly #events: CountedEvent[] | undefined;

  private constructor(units: number, oldestUs: number | undefined, events?: CountedEvent[]) {
    this.#units = units;
    this.#oldestUs = oldestUs;
    this.#events = events;
  }

  /** A counter that no event of its window is left out of; `add` them oldest first. */
  static exact(): WindowCounter {
    return new WindowCounter(0, undefined, []);
  }

  /** A counter of at most `units`. */
  static bound(units: number, oldestUs: number | undefined): WindowCounter {
    return new WindowCounter(units, oldestUs);
  }

  get units(): number {
    return this.#units;
  }

  /** Moment of the oldest event counted when the log was last read. */
  get oldestUs(): number | undefined {
    return this.#oldestUs;
  }

  add(event: CountedEvent): void {
    this.#units += event.units;
    this.#oldestUs ??= event.atUs;
    this.#events?.push(event);
  }

  /**
   * Moment of the event with whose end at least `units` will have come back; undefined when there
   * are not so many. Only for exact counters.
   */
  endOfUnits(units: number): number | undefined {
    let freed = 0;
    for (const event of this.#events ?? []) {
      freed += event.units;
      if (freed >= units) return event.atUs;
    }
    return undefined;
  }

  /** Units of committed events. Only for exact counters. */
  committedUnits(): number {
    const committed = (this.#events ?? []).filter((event) => !event.reserved);
    return committed.reduce((sum, event) => sum + event.units, 0);
  }
}
