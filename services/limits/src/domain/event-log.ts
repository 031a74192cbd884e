import type { UsageEvent } from "./usage.ts";

const DROPPED_AT_ONCE = 64;

/** An event with the credential or account that it was logged for. */
export interface LoggedEvent extends UsageEvent {
  subject: string;
}

/**
 * Events, oldest first, with permanent numbers from 0. The oldest are dropped when no longer
 * needed.
 */
export class EventLog {
  #events: LoggedEvent[] = [];
  #first = 0;

  /** Number of the first retained event. */
  get first(): number {
    return this.#first;
  }

  /** Number of the next event. */
  get end(): number {
    return this.#first + this.#events.length;
  }

  at(number: number): LoggedEvent | undefined {
    return this.#events[number - this.#first];
  }

  push(event: LoggedEvent): void {
    this.#events.push(event);
  }

  /** Drops events before a time, possibly later; returns whether any were dropped. */
  dropBefore(startUs: number): boolean {
    // Dropped in bulk: removing one event costs as much as removing all.
    const last = this.#events[DROPPED_AT_ONCE - 1];
    if (!last || last.atUs >= startUs) return false;
    const firstKept = this.#events.findIndex(({ atUs }) => atUs >= startUs);
    const dropped = firstKept === -1 ? this.#events.length : firstKept;
    this.#events = this.#events.slice(dropped);
    this.#first += dropped;
    return true;
  }
}
