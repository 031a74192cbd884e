import type { UsageLedger } from "../domain/usage-ledger.ts";

interface Entry {
  ledger: UsageLedger;
  /** What it takes, in events. */
  size: number;
}

/** About 60 MB: an event takes 96 bytes. */
const EVENTS_MAX = 600_000;
/** What a ledger takes besides its events. Accounts that call rarely have little else. */
const LEDGER_EVENTS = 8;

/**
 * This instance's cache of account ledgers, one per log. An entry may be stale or missing: a
 * decision is made under the account's lock, after reading what was logged since. Ledgers are kept
 * in two generations, and the older one is dropped as a whole: maintaining an exact order of use
 * would cost more than the decisions.
 */
export class AccountMemory {
  readonly #eventsMax: number;
  #young = new Map<string, Entry>();
  #old = new Map<string, Entry>();
  /** Size of the young generation. */
  #youngEvents = 0;

  /** `eventsMax` bounds the memory of all ledgers together, in events. */
  constructor(eventsMax = EVENTS_MAX) {
    this.#eventsMax = eventsMax;
  }

  find(name: string): UsageLedger | undefined {
    return (this.#young.get(name) ?? this.#old.get(name))?.ledger;
  }

  /** Stores a ledger whose events have all been committed. */
  set(name: string, ledger: UsageLedger): void {
    ledger.rest();
    const size = LEDGER_EVENTS + ledger.size;
    const entry = this.#young.get(name);
    this.#youngEvents += size - (entry?.size ?? 0);
    if (entry) {
      entry.ledger = ledger;
      entry.size = size;
    } else this.#young.set(name, { ledger, size });
    if (this.#youngEvents > this.#eventsMax / 2) this.#age();
  }

  forget(name: string): void {
    this.#youngEvents -= this.#young.get(name)?.size ?? 0;
    this.#young.delete(name);
    this.#old.delete(name);
  }

  #age(): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngEvents = 0;
  }
}
