import type { EventLog } from "./event-log.ts";
import type { Policy } from "./policy.ts";
import { unitsOf } from "./policy.ts";
import type { UsageEvent } from "./usage.ts";

/**
 * Counts the units of one policy, or of one journal date of it, in a window that slides over a log.
 */
export class WindowCounter {
  readonly #policy: Policy;
  readonly #journalDate: string | null;
  readonly #log: EventLog;
  #units = 0;
  /** Event numbers of the window's start (inclusive) and end (exclusive). */
  #first: number;
  #end: number;

  /** `journalDate` is the date to count when the policy counts each separately. */
  constructor(policy: Policy, journalDate: string | null, log: EventLog) {
    this.#policy = policy;
    this.#journalDate = journalDate;
    this.#log = log;
    this.#first = log.first;
    this.#end = log.first;
  }

  /** Slides the window to the log's end, and its start to a moment. */
  moveTo(startUs: number): void {
    for (; this.#end < this.#log.end; this.#end += 1) {
      this.#units += this.#unitsOf(this.#log.at(this.#end));
    }
    for (; this.#first < this.#end; this.#first += 1) {
      const event = this.#log.at(this.#first) as UsageEvent;
      if (event.atUs >= startUs) return;
      this.#units -= this.#unitsOf(event);
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
      const event = this.#log.at(number);
      if (event?.state === "reserved" && this.#unitsOf(event) > 0) return true;
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
      const event = this.#log.at(number) as UsageEvent;
      freed += this.#unitsOf(event);
      if (freed >= units) return event.atUs;
    }
    return undefined;
  }

  #unitsOf(event: UsageEvent | undefined): number {
    if (!event) return 0;
    const counts = !this.#policy.eachJournalDate || event.journalDate === this.#journalDate;
    return counts ? unitsOf(this.#policy, event, event.state) : 0;
  }
}
