import { EventLog } from "./event-log.ts";
import { counterKey } from "./policy.ts";
import type { Policy } from "./policy.ts";
import type { UsageEvent } from "./usage.ts";
import { WindowCounter } from "./window-counter.ts";

const COUNTERS_MAX = 64;

/** Events and the sliding-window counters over them. */
export class CountedLog {
  #events = new EventLog();
  readonly #counters = new Map<string, WindowCounter>();

  /** Retained events. */
  get size(): number {
    return this.#events.end - this.#events.first;
  }

  push(event: UsageEvent): void {
    this.#events.push(event);
  }

  /** Replaces all events with others, oldest first. */
  replace(change: (events: readonly UsageEvent[]) => readonly UsageEvent[]): void {
    const { first, end } = this.#events;
    const events = Array.from(
      { length: end - first },
      (_, index) => this.#events.at(first + index) as UsageEvent,
    );
    this.#events = new EventLog();
    for (const event of change(events)) this.#events.push(event);
    this.#counters.clear();
  }

  /** Drops events before a time, possibly later; returns whether any were dropped. */
  dropBefore(startUs: number): boolean {
    const hasDropped = this.#events.dropBefore(startUs);
    // Counters that include dropped events, and those of old dates, are recomputed from the log.
    if (hasDropped || this.#counters.size > COUNTERS_MAX) this.#counters.clear();
    return hasDropped;
  }

  /** The counter of a policy, for `journalDate` when the policy counts each date separately. */
  counterOf(policy: Policy, journalDate: string | null): WindowCounter {
    const policyKey = counterKey(policy);
    const key = policy.eachJournalDate ? `${policyKey}/${journalDate}` : policyKey;
    const existing = this.#counters.get(key);
    if (existing) return existing;
    const counter = new WindowCounter(policy, journalDate, this.#events);
    this.#counters.set(key, counter);
    return counter;
  }
}
