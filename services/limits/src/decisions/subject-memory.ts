import type { SubjectLedger } from "../domain/subject-ledger.ts";

interface Entry {
  ledger: SubjectLedger;
  /** Events that it was counted with. */
  size: number;
}

/** About 100 MB. */
const EVENTS_MAX = 1_000_000;

/**
 * What this instance knows of subjects. It may be behind the log and may forget anything: whoever
 * decides holds the subject's lock and reads what was logged since. Subjects are kept in two
 * generations, the older of which is forgotten as a whole: to keep them in the order of their use
 * would cost more than the decisions.
 */
export class SubjectMemory {
  readonly #eventsMax: number;
  #young = new Map<string, Entry>();
  #old = new Map<string, Entry>();
  /** Of the young; a subject without any counts as one. */
  #youngEvents = 0;

  /** `eventsMax` is for all subjects together. */
  constructor(eventsMax = EVENTS_MAX) {
    this.#eventsMax = eventsMax;
  }

  find(subject: string): SubjectLedger | undefined {
    return (this.#young.get(subject) ?? this.#old.get(subject))?.ledger;
  }

  /** Remembers a ledger whose events are all committed. */
  set(subject: string, ledger: SubjectLedger): void {
    const size = Math.max(1, ledger.size);
    const entry = this.#young.get(subject);
    this.#youngEvents += size - (entry?.size ?? 0);
    if (entry) {
      entry.ledger = ledger;
      entry.size = size;
    } else this.#young.set(subject, { ledger, size });
    if (this.#youngEvents > this.#eventsMax / 2) this.#age();
  }

  forget(subject: string): void {
    this.#youngEvents -= this.#young.get(subject)?.size ?? 0;
    this.#young.delete(subject);
    this.#old.delete(subject);
  }

  #age(): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngEvents = 0;
  }
}
