import type { UsageEvent } from "./usage.ts";

const DROPPED_AT_ONCE = 64;

/**
 * Events of one subject, oldest first, numbered from 0 on for good. The oldest go when they are not
 * needed any more.
 */
export class EventLog {
  #events: UsageEvent[] = [];
  #first = 0;

  /** Number of the first event that is kept. */
  get first(): number {
    return this.#first;
  }

  /** Number that the next event gets. */
  get end(): number {
    return this.#first + this.#events.length;
  }

  at(number: number): UsageEvent | undefined {
    return this.#events[number - this.#first];
  }

  push(event: UsageEvent): void {
    this.#events.push(event);
  }

  /** Lets the events before a moment go, though maybe not at once; returns whether any went. */
  dropBefore(startUs: number): boolean {
    // One by one, each would cost as much as all.
    const last = this.#events[DROPPED_AT_ONCE - 1];
    if (!last || last.atUs >= startUs) return false;
    const kept = this.#events.findIndex(({ atUs }) => atUs >= startUs);
    const dropped = kept === -1 ? this.#events.length : kept;
    this.#events = this.#events.slice(dropped);
    this.#first += dropped;
    return true;
  }
}
