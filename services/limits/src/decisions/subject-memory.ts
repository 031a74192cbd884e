import type { SubjectLedger } from "../domain/subject-ledger.ts";

const EVENTS_MAX = 500_000;

/**
 * What this instance knows of subjects. It may be behind the log and may forget anything: whoever
 * decides holds the subject's lock and reads what was logged since.
 */
export class SubjectMemory {
  readonly #known = new Map<string, { ledger: SubjectLedger; size: number }>();
  readonly #eventsMax: number;
  #events = 0;

  /** `eventsMax` is for all subjects together; one without any event counts as one. */
  constructor(eventsMax = EVENTS_MAX) {
    this.#eventsMax = eventsMax;
  }

  find(subject: string): SubjectLedger | undefined {
    return this.#known.get(subject)?.ledger;
  }

  /** Remembers a ledger whose events are all committed. */
  set(subject: string, ledger: SubjectLedger): void {
    // Set anew, so that the subject not used for longest is always the map's first.
    this.forget(subject);
    const size = Math.max(1, ledger.size);
    this.#known.set(subject, { ledger, size });
    this.#events += size;
    for (const oldest of this.#known.keys()) {
      if (this.#events <= this.#eventsMax) return;
      this.forget(oldest);
    }
  }

  forget(subject: string): void {
    this.#events -= this.#known.get(subject)?.size ?? 0;
    this.#known.delete(subject);
  }
}
