import type { Decision } from "../src/domain/decision.ts";
import type { Policy } from "../src/domain/policy.ts";
import { SubjectLedger } from "../src/domain/subject-ledger.ts";
import type { Intent, UsageEvent } from "../src/domain/usage.ts";

/** One subject's log and what instances remember of it, used as transactions use them. */
export class MemoryLog {
  readonly events: (UsageEvent & { reservationId: string | null })[] = [];
  readonly #known: (SubjectLedger | undefined)[] = [];

  decide(policies: readonly Policy[], intent: Intent, nowUs: number, instance = 0): Decision {
    const windowSeconds = Math.max(...policies.map((policy) => policy.windowSeconds));
    let ledger = this.#known[instance];
    if (ledger && ledger.windowSeconds < windowSeconds) ledger = undefined;
    ledger?.resume(policies, nowUs, this.#after(ledger.lastAtUs));
    let decision = ledger?.decide(intent);
    if (!ledger || !decision) {
      const events = this.#after(nowUs - windowSeconds * 1_000_000 - 1);
      ledger = new SubjectLedger({ events, readAtUs: nowUs, windowSeconds });
      ledger.resume(policies, nowUs);
      decision = ledger.decide(intent) as Decision;
    }
    this.#known[instance] = ledger;
    if (decision.allowed) this.#log(intent, decision.atUs);
    return decision;
  }

  settle(reservationId: string, state: "committed" | "released"): void {
    const event = this.events.find((each) => each.reservationId === reservationId);
    (event as UsageEvent).state = state;
  }

  /** As rows that are read: what is settled later does not change them. */
  #after(momentUs: number): UsageEvent[] {
    return this.events.filter(({ atUs }) => atUs > momentUs).map((event) => ({ ...event }));
  }

  #log({ kind, cost, lines, journalDate, reservationId }: Intent, atUs: number): void {
    const state = reservationId === null ? "committed" : "reserved";
    this.events.push({ atUs, kind, cost, lines, journalDate, state, reservationId });
  }
}
