import { EventLog } from "./event-log.ts";
import type { LoggedEvent } from "./event-log.ts";
import { counterKey, isOfAccount } from "./policy.ts";
import type { Policy } from "./policy.ts";
import type { LimitRequest, UsageEvent } from "./usage.ts";
import { WindowCounter } from "./window-counter.ts";

const COUNTERS_MAX = 64;
/** Maximum number of events that are recounted, because storing their counters would take more memory than the events. */
const RECOUNTED_MAX = 32;

/** An account's events and the sliding-window counters over them. */
export class CountedLog {
  #events = new EventLog();
  /** Keyed by policy, subject and date; undefined until the next decision needs one. */
  #counters: Map<string, WindowCounter> | undefined;

  /** Estimated heap size in bytes, excluding the counters. */
  get bytes(): number {
    return this.#events.bytes;
  }

  push(subject: string, event: UsageEvent): void {
    const { atUs, kind, cost, lines, journalDate, state } = event;
    this.#events.push({ atUs, usage: { subject, kind, cost, lines, journalDate, state } });
  }

  /** Replaces all events with others, oldest first. */
  replace(change: (events: readonly LoggedEvent[]) => readonly LoggedEvent[]): void {
    const events = this.#events.list();
    this.#events = new EventLog();
    for (const event of change(events)) this.#events.push(event);
    this.#counters = undefined;
  }

  /** Drops events before a time, possibly later. */
  dropBefore(startUs: number): void {
    const hasDropped = this.#events.dropBefore(startUs);
    // Counters that include dropped events, and those of old dates, are recomputed from the log.
    if (hasDropped || (this.#counters?.size ?? 0) > COUNTERS_MAX) this.#counters = undefined;
  }

  /** Forgets the counters of a short log: most accounts call rarely, and would keep them for nothing. */
  rest(): void {
    const { first, end } = this.#events;
    if (end - first <= RECOUNTED_MAX) this.#counters = undefined;
  }

  /**
   * The counter of a policy that applies to a limit request: of its subject, unless the policy counts the
   * whole account, and of its journal date, if the policy counts each separately.
   */
  counterOf(policy: Policy, { subject, journalDate }: LimitRequest): WindowCounter {
    const counted = {
      subject: isOfAccount(policy) ? undefined : subject,
      journalDate: policy.eachJournalDate ? journalDate : undefined,
    };
    const key = `${counterKey(policy)} ${counted.subject} ${counted.journalDate}`;
    this.#counters ??= new Map();
    let counter = this.#counters.get(key);
    if (!counter) {
      counter = new WindowCounter({ policy, ...counted }, this.#events);
      this.#counters.set(key, counter);
    }
    return counter;
  }
}
