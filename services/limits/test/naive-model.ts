import type { Policy } from "../src/domain/policy.ts";
import type { LimitRequest, Usage, UsageEvent } from "../src/domain/usage.ts";

type State = UsageEvent["state"];

interface Remembered {
  limitRequest: LimitRequest;
  atUs: number;
  state: State;
}

/**
 * The limits as a person would check them by hand: it keeps every allowed limit request and goes
 * through all of them for each question. It uses no counters, bounds or batches.
 */
export class NaiveModel {
  readonly #policies: readonly Policy[];
  readonly #remembered: Remembered[] = [];

  constructor(policies: readonly Policy[]) {
    this.#policies = policies;
  }

  /** Names of the policies that a limit request would violate. */
  violated(limitRequest: LimitRequest, nowUs: number): string[] {
    return this.#policies
      .filter((policy) => {
        const units = appliesTo(policy, limitRequest)
          ? unitsIn(policy, limitRequest, "reserved")
          : 0;
        return units > 0 && this.used(policy, limitRequest, nowUs) + units > policy.max;
      })
      .map((policy) => policy.name);
  }

  /**
   * Units that count against a limit request; with `states`, only those of events in such a state.
   */
  used(
    policy: Policy,
    limitRequest: LimitRequest,
    nowUs: number,
    states: readonly State[] = ["reserved", "committed", "failed"],
  ): number {
    let used = 0;
    for (const { limitRequest: earlier, atUs, state } of this.#remembered) {
      const counts =
        states.includes(state) &&
        isCountedTogether(policy, earlier, limitRequest) &&
        atUs + policy.windowSeconds * 1_000_000 >= nowUs &&
        (!policy.eachJournalDate || earlier.journalDate === limitRequest.journalDate);
      if (counts) used += unitsIn(policy, earlier, state);
    }
    return used;
  }

  allow(limitRequest: LimitRequest, atUs: number): void {
    const state = limitRequest.reservationId === null ? "committed" : "reserved";
    this.#remembered.push({ limitRequest, atUs, state });
  }

  settle(requestId: string, state: State): void {
    const found = this.#remembered.find(({ limitRequest }) => limitRequest.requestId === requestId);
    if (found) found.state = state;
  }
}

/** Whether a policy applies to such a limit request at all. */
export function appliesTo({ counts }: Policy, { kind, subjectKind }: LimitRequest): boolean {
  if (kind !== "request") return !counts.endsWith("requests");
  if (counts === "requests") return true;
  return counts === `${subjectKind}_requests`;
}

function isCountedTogether(
  { counts }: Policy,
  earlier: LimitRequest,
  limitRequest: LimitRequest,
): boolean {
  const isSameLog = (earlier.kind === "request") === (limitRequest.kind === "request");
  if (earlier.accountId !== limitRequest.accountId || !isSameLog) return false;
  const isNarrow = counts === "api_key_requests" || counts === "connector_requests";
  return !isNarrow || earlier.subject === limitRequest.subject;
}

function unitsIn({ counts, kinds }: Policy, { kind, cost, lines }: Usage, state: State): number {
  if (counts === "failed_analyses") {
    const isAnalysed = kind === "log" || kind === "edit";
    return isAnalysed && (state === "reserved" || state === "failed") ? 1 : 0;
  }
  if (state === "failed") return 0;
  if (counts === "lines") return lines;
  if (kind === "request") return cost;
  return !kinds || kinds.includes(kind) ? cost : 0;
}
