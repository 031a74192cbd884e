import type { Decision, PolicyState, Refused, Violation } from "./decision.ts";
import { longestWaitFirst } from "./decision.ts";
import { counterKey, countsEverything, unitsOf } from "./policy.ts";
import type { Policy } from "./policy.ts";
import type { Intent, UsageEvent } from "./usage.ts";
import { WindowCounter } from "./window-counter.ts";

/** What is stored of a subject between decisions, in microseconds since 1970. */
export interface SubjectState {
  /** Moment of its last event. */
  lastAtUs: number;
  /** When the log was last read for it. */
  countedAtUs: number;
  /** Units at most, and the moment of the oldest event counted, by counter. */
  counters: Record<string, [units: number, oldestUs: number | null]>;
}

/** Older bounds are refreshed from the log, so that the units left soon show what expired. */
const BOUND_MAX_AGE_US = 60_000_000;

const FROZEN_FOR_EVER_MS = 3_600_000;

interface Moments {
  nowUs: number;
  lastAtUs: number;
  countedAtUs: number;
}

interface Claim {
  policy: Policy;
  counter: WindowCounter;
  units: number;
}

/**
 * What one subject used, as its policies see it. Whoever holds the subject's lock decides with it,
 * one intent after another. A ledger made from a stored state knows upper bounds, which is enough
 * to allow; to refuse, one made from the log is needed.
 */
export class SubjectLedger {
  readonly #policies: readonly Policy[];
  readonly #counters = new Map<string, WindowCounter>();
  readonly #isExact: boolean;
  readonly #nowUs: number;
  readonly #countedAtUs: number;
  #lastAtUs: number;

  private constructor(policies: readonly Policy[], moments: Moments, isExact: boolean) {
    this.#policies = policies;
    this.#isExact = isExact;
    this.#countedAtUs = moments.countedAtUs;
    this.#lastAtUs = moments.lastAtUs;
    // A clock that went back must not make a window end before its last event.
    this.#nowUs = Math.max(moments.nowUs, moments.lastAtUs);
  }

  /** A ledger of bounds; undefined when the state is too old or lacks what a policy counts. */
  static fromState(
    policies: readonly Policy[],
    state: SubjectState,
    nowUs: number,
  ): SubjectLedger | undefined {
    const isStale = nowUs - state.countedAtUs > BOUND_MAX_AGE_US;
    if (isStale || policies.some((policy) => !(counterKey(policy) in state.counters))) return;
    const ledger = new SubjectLedger(policies, { ...state, nowUs }, false);
    for (const [key, [units, oldestUs]] of Object.entries(state.counters)) {
      // What no policy counts any more is not kept up to date, so it must not be kept at all.
      const isCounted = policies.some((policy) => countsUnder(policy, key));
      if (isCounted) ledger.#counters.set(key, WindowCounter.bound(units, oldestUs ?? undefined));
    }
    return ledger;
  }

  /**
   * An exact ledger. `events` are all that lie in the policies' windows, oldest first; `lastAtUs` is
   * the moment of the last event known otherwise, or 0.
   */
  static fromLog(
    policies: readonly Policy[],
    events: readonly UsageEvent[],
    { nowUs, lastAtUs }: { nowUs: number; lastAtUs: number },
  ): SubjectLedger {
    const newestUs = Math.max(lastAtUs, events.at(-1)?.atUs ?? 0);
    const moments = { nowUs, lastAtUs: newestUs, countedAtUs: nowUs };
    const ledger = new SubjectLedger(policies, moments, true);
    for (const policy of policies) ledger.#count(policy, events);
    return ledger;
  }

  /** Allows and notes the intent, or refuses it; undefined when only the log can tell. */
  decide(intent: Intent): Decision | undefined {
    const claims = this.#claimsOf(intent);
    const violated = claims.filter(
      ({ policy, counter, units }) => counter.units + units > policy.max,
    );
    if (violated.length > 0) return this.#isExact ? this.#refuse(claims, violated) : undefined;
    const atUs = Math.max(this.#nowUs, this.#lastAtUs + 1);
    const reserved = intent.reservationId !== null;
    for (const { counter, units } of claims) counter.add({ atUs, units, reserved });
    this.#lastAtUs = atUs;
    return { allowed: true, atUs, policies: claims.map((claim) => this.#stateOf(claim)) };
  }

  /** What to store after the decisions. */
  get state(): SubjectState {
    const counters = [...this.#counters].map(([key, { units, oldestUs }]) => [
      key,
      [units, oldestUs ?? null],
    ]);
    return {
      lastAtUs: this.#lastAtUs,
      countedAtUs: this.#countedAtUs,
      counters: Object.fromEntries(counters),
    };
  }

  #count(policy: Policy, events: readonly UsageEvent[]): void {
    // Made even if no event follows: a date policy's own key says that its dates are complete.
    this.#counterAt(counterKey(policy));
    const startUs = this.#nowUs - policy.windowSeconds * 1_000_000;
    for (const event of events) {
      const units = unitsOf(policy, event);
      if (units === 0 || event.atUs < startUs) continue;
      const { atUs, reserved } = event;
      this.#counterOf(policy, event.journalDate).add({ atUs, units, reserved });
    }
  }

  #claimsOf(intent: Intent): Claim[] {
    const claims = this.#policies.map((policy) => ({ policy, units: unitsOf(policy, intent) }));
    return claims
      .filter(({ units }) => units > 0)
      .map((claim) => ({ ...claim, counter: this.#counterOf(claim.policy, intent.journalDate) }));
  }

  #counterOf(policy: Policy, journalDate: string | null): WindowCounter {
    const key = counterKey(policy);
    return this.#counterAt(policy.eachJournalDate ? `${key}/${journalDate}` : key);
  }

  /** A date without a counter has no event: whoever reads the log makes counters for all dates. */
  #counterAt(key: string): WindowCounter {
    const known = this.#counters.get(key);
    if (known) return known;
    const made = this.#isExact ? WindowCounter.exact() : WindowCounter.bound(0, undefined);
    this.#counters.set(key, made);
    return made;
  }

  #refuse(claims: Claim[], violated: Claim[]): Refused {
    const violations = violated.map((claim) => this.#violationOf(claim)).sort(longestWaitFirst);
    const frozen = violated.map((claim) => this.#frozenMs(claim));
    return {
      allowed: false,
      violations: violations as [Violation, ...Violation[]],
      policies: claims.map((claim) => this.#stateOf(claim)),
      frozenMs: Math.max(...frozen),
    };
  }

  #violationOf(claim: Claim): Violation {
    const { policy, counter, units } = claim;
    const endUs = counter.endOfUnits(counter.units + units - policy.max);
    const fitsEver = units <= policy.max && endUs !== undefined;
    return {
      policy: this.#stateOf(claim),
      used: counter.units,
      requested: units,
      retryAfterMs: fitsEver ? this.#msUntilExpired(endUs, policy) : undefined,
    };
  }

  #frozenMs({ policy, counter }: Claim): number {
    const excess = counter.committedUnits() - policy.max;
    if (!countsEverything(policy) || excess < 0) return 0;
    const endUs = counter.endOfUnits(excess + 1);
    // Without such a moment the maximum is 0, and time will not help.
    return endUs === undefined ? FROZEN_FOR_EVER_MS : this.#msUntilExpired(endUs, policy);
  }

  #stateOf({ policy, counter }: Claim): PolicyState {
    const { name, max, windowSeconds } = policy;
    const resetMs =
      counter.oldestUs === undefined ? 0 : this.#msUntilExpired(counter.oldestUs, policy);
    const remaining = Math.max(0, max - counter.units);
    return { name, max, windowSeconds, remaining, resetMs: Math.max(1_000, resetMs) };
  }

  /** Windows include both their ends, so an event counts until just after its window's length. */
  #msUntilExpired(atUs: number, { windowSeconds }: Policy): number {
    return Math.ceil((atUs + windowSeconds * 1_000_000 + 1 - this.#nowUs) / 1_000);
  }
}

function countsUnder(policy: Policy, key: string): boolean {
  const own = counterKey(policy);
  return key === own || (policy.eachJournalDate && key.startsWith(`${own}/`));
}
