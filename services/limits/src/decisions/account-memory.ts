import type { UsageLedger } from "../domain/usage-ledger.ts";

interface Entry {
  ledger: UsageLedger;
  bytes: number;
}

const BYTES_MAX = 50_000_000;

/**
 * This instance's cache of account ledgers, one per log. An entry may be stale or missing: a
 * decision is made under the account's lock, after reading what was logged since. Ledgers are kept
 * in two generations, and the older one is dropped as a whole: maintaining an exact order of use
 * would cost more than the decisions.
 */
export class AccountMemory {
  readonly #bytesMax: number;
  #young = new Map<string, Entry>();
  #old = new Map<string, Entry>();
  /** Estimated size of the young generation. */
  #youngBytes = 0;

  /** `bytesMax` limits the estimated size of all ledgers together. */
  constructor(bytesMax = BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  find(name: string): UsageLedger | undefined {
    return (this.#young.get(name) ?? this.#old.get(name))?.ledger;
  }

  /** Stores a ledger whose events have all been committed. */
  set(name: string, ledger: UsageLedger): void {
    ledger.rest();
    const { bytes } = ledger;
    const entry = this.#young.get(name);
    this.#youngBytes += bytes - (entry?.bytes ?? 0);
    if (entry) {
      entry.ledger = ledger;
      entry.bytes = bytes;
    } else this.#young.set(name, { ledger, bytes });
    if (this.#youngBytes > this.#bytesMax / 2) this.#age();
  }

  forget(name: string): void {
    this.#youngBytes -= this.#young.get(name)?.bytes ?? 0;
    this.#young.delete(name);
    this.#old.delete(name);
  }

  #age(): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = 0;
  }
}
