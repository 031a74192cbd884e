import type { UsageEvent } from "./usage.ts";

const DROPPED_AT_ONCE = 64;
/** Number of the latest events whose usages a new event may share. */
const COMPARED = 8;
/** Measured: docs/decisions/0052. */
const EVENT_BYTES = 20;
const USAGE_BYTES = 110;

/** A usage with the credential or account that it was logged for. */
export interface LoggedUsage extends Readonly<Omit<UsageEvent, "atUs">> {
  readonly subject: string;
}

export interface LoggedEvent {
  atUs: number;
  usage: LoggedUsage;
}

/**
 * Events, oldest first, with permanent numbers from 0. The oldest are dropped when no longer
 * needed. Equal usages share an object, because most requests of a caller are equal
 * (docs/decisions/0052).
 */
export class EventLog {
  #times: number[] = [];
  #usages: LoggedUsage[] = [];
  #first = 0;
  /** Number of distinct usage objects. */
  #distinct = 0;

  /** Estimated heap size in bytes. */
  get bytes(): number {
    return this.#times.length * EVENT_BYTES + this.#distinct * USAGE_BYTES;
  }

  /** Number of the first retained event. */
  get first(): number {
    return this.#first;
  }

  /** Number of the next event. */
  get end(): number {
    return this.#first + this.#times.length;
  }

  /** Time of a retained event. */
  timeOf(number: number): number {
    return this.#times[number - this.#first] as number;
  }

  /** Usage of a retained event. */
  usageOf(number: number): LoggedUsage {
    return this.#usages[number - this.#first] as LoggedUsage;
  }

  /** All retained events. */
  list(): LoggedEvent[] {
    return this.#times.map((atUs, index) => ({ atUs, usage: this.#usages[index] as LoggedUsage }));
  }

  push({ atUs, usage }: LoggedEvent): void {
    const equal = this.#usages.slice(-COMPARED).find((other) => isEqual(other, usage));
    if (!equal) this.#distinct += 1;
    this.#times.push(atUs);
    this.#usages.push(equal ?? usage);
  }

  /** Drops events before a time, possibly later; returns whether any were dropped. */
  dropBefore(startUs: number): boolean {
    // Dropped in bulk: removing one event costs as much as removing all.
    const last = this.#times[DROPPED_AT_ONCE - 1];
    if (last === undefined || last >= startUs) return false;
    const firstKept = this.#times.findIndex((atUs) => atUs >= startUs);
    const dropped = firstKept === -1 ? this.#times.length : firstKept;
    this.#times = this.#times.slice(dropped);
    this.#usages = this.#usages.slice(dropped);
    this.#distinct = new Set(this.#usages).size;
    this.#first += dropped;
    return true;
  }
}

function isEqual(one: LoggedUsage, other: LoggedUsage): boolean {
  return (
    one.subject === other.subject &&
    one.kind === other.kind &&
    one.cost === other.cost &&
    one.lines === other.lines &&
    one.journalDate === other.journalDate &&
    one.state === other.state
  );
}
