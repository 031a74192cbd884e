import type { Policy } from "../src/domain/policy.ts";
import { subjectKindOf } from "../src/domain/policy.ts";
import type { Intent } from "../src/domain/usage.ts";

interface Remembered {
  intent: Intent;
  atUs: number;
  state: "reserved" | "committed" | "released";
}

/**
 * The limits as a person would check them by hand: every allowed intent is remembered, and for each
 * question all are gone through. It knows no counters, bounds or batches.
 */
export class NaiveModel {
  readonly #policies: readonly Policy[];
  readonly #remembered: Remembered[] = [];

  constructor(policies: readonly Policy[]) {
    this.#policies = policies;
  }

  /** Names of the policies that an intent would violate. */
  violated(intent: Intent, nowUs: number): string[] {
    return this.#policies
      .filter((policy) => subjectKindOf(policy) === intent.subjectKind)
      .filter((policy) => {
        const units = unitsIn(policy, intent);
        return units > 0 && this.used(policy, intent, nowUs) + units > policy.max;
      })
      .map((policy) => policy.name);
  }

  /** Units that count against an intent; with `states`, only those of events in such a state. */
  used(
    policy: Policy,
    intent: Intent,
    nowUs: number,
    states: readonly Remembered["state"][] = ["reserved", "committed"],
  ): number {
    let used = 0;
    for (const { intent: earlier, atUs, state } of this.#remembered) {
      const counts =
        states.includes(state) &&
        earlier.subject === intent.subject &&
        atUs + policy.windowSeconds * 1_000_000 >= nowUs &&
        (!policy.eachJournalDate || earlier.journalDate === intent.journalDate);
      if (counts) used += unitsIn(policy, earlier);
    }
    return used;
  }

  allow(intent: Intent, atUs: number): void {
    const state = intent.reservationId === null ? "committed" : "reserved";
    this.#remembered.push({ intent, atUs, state });
  }

  settle(reservationId: string, state: "committed" | "released"): void {
    const found = this.#remembered.find(({ intent }) => intent.reservationId === reservationId);
    if (found) found.state = state;
  }
}

function unitsIn({ counts, kinds }: Policy, { kind, cost, lines }: Intent): number {
  if (counts === "lines") return lines;
  if (kind === "request") return cost;
  return !kinds || kinds.includes(kind) ? cost : 0;
}
