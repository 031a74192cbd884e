import type { EventLog } from "./event-log.ts";
import type { Policy } from "./policy.ts";
import { unitsOf } from "./policy.ts";

/** What a counter counts. */
export interface Counted {
  readonly policy: Policy;
  /** Only events of this subject; of all if undefined. */
  readonly subject: string | undefined;
  /** Only events of this date, or only those without one; of all if undefined. */
  readonly journalDate: string | null | undefined;
}

/** Counts the units of one policy in a window that slides over an account's log. */
export class WindowCounter {
  readonly #counted: Counted;
  readonly #log: EventLog;
  #units = 0;
  /** Event numbers of the oldest counted event and of the window's end (exclusive). */
  #first: number;
  #end: number;

  constructor(counted: Counted, log: EventLog) {
    this.#counted = counted;
    this.#log = log;
    this.#first = log.first;
    this.#end = log.first;
  }

  /** Slides the window to the log's end, and its start to a moment. */
  moveTo(startUs: number): void {
    for (; this.#end < this.#log.end; this.#end += 1) {
      this.#units += this.#unitsOf(this.#end);
    }
    for (; this.#first < this.#end; this.#first += 1) {
      const units = this.#unitsOf(this.#first);
      // Events that do not count are passed over at once, so that the oldest counted one comes first.
      if (units > 0 && this.#log.timeOf(this.#first) >= startUs) return;
      this.#units -= units;
    }
  }

  get units(): number {
    return this.#units;
  }

  /** Moment of the oldest counted event. */
  get oldestUs(): number | undefined {
    return this.endOfUnits(1);
  }

  /** Whether some of the units are reserved and may be released. */
  get hasReserved(): boolean {
    for (let number = this.#first; number < this.#end; number += 1) {
      const { state } = this.#log.usageOf(number);
      if (state === "reserved" && this.#unitsOf(number) > 0) return true;
    }
    return false;
  }

  /**
   * Time of the event whose expiry frees at least `units` in total; undefined when there are not
   * that many.
   */
  endOfUnits(units: number): number | undefined {
    let freed = 0;
    for (let number = this.#first; number < this.#end; number += 1) {
      freed += this.#unitsOf(number);
      if (freed >= units) return this.#log.timeOf(number);
    }
    return undefined;
  }

  #unitsOf(number: number): number {
    const usage = this.#log.usageOf(number);
    const { policy, subject, journalDate } = this.#counted;
    const counts =
      (subject === undefined || usage.subject === subject) &&
      (journalDate === undefined || usage.journalDate === journalDate);
    return counts ? unitsOf(policy, usage, usage.state) : 0;
  }
}
