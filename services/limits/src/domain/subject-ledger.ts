import type { Decision, PolicyState, Refused, Violation } from "./decision.ts";
import { longestWaitFirst } from "./decision.ts";
import { EventLog } from "./event-log.ts";
import { counterKey, countsEverything, unitsOf } from "./policy.ts";
import type { Policy } from "./policy.ts";
import type { Intent, UsageEvent } from "./usage.ts";
import { WindowCounter } from "./window-counter.ts";

/** After so long it is looked up what was released, so that the units left soon show it. */
const RESERVED_MAX_AGE_US = 60_000_000;

const FROZEN_FOR_EVER_MS = 3_600_000;

const COUNTERS_MAX = 64;

/** How a log was read. Moments are microseconds since 1970. */
export interface LogRead {
  /** All that count in the window, oldest first. */
  events: readonly UsageEvent[];
  /** When they were read. */
  readAtUs: number;
  /** The time before that which was read. */
  windowSeconds: number;
}

interface Claim {
  policy: Policy;
  counter: WindowCounter;
  units: number;
}

/**
 * What one subject used. Whoever holds the subject's lock goes on with it, telling it first what was
 * logged since, and decides one intent after another; if that is not committed in the end, the
 * ledger is wrong and has to be forgotten. What was reserved when the log was read may have been
 * released since: then what is known is enough to allow, and to refuse, the log has to be read again.
 */
export class SubjectLedger {
  /** Of the log that was read; a policy with a longer window takes another read. */
  readonly windowSeconds: number;
  readonly #log = new EventLog();
  readonly #readAtUs: number;
  readonly #counters = new Map<string, WindowCounter>();
  #policies: readonly Policy[] = [];
  #nowUs = 0;
  #lastAtUs = 0;
  #hasReserved = false;
  #mayHaveReleased = false;

  constructor({ events, readAtUs, windowSeconds }: LogRead) {
    this.windowSeconds = windowSeconds;
    this.#readAtUs = readAtUs;
    this.#extend(events);
  }

  /** Moment of the last event. */
  get lastAtUs(): number {
    return this.#lastAtUs;
  }

  /** Events that it keeps. */
  get size(): number {
    return this.#log.end - this.#log.first;
  }

  /** Goes on at `nowUs` by these policies; `news` is everything after the last event, oldest first. */
  resume(policies: readonly Policy[], nowUs: number, news: readonly UsageEvent[] = []): void {
    this.#policies = policies;
    this.#mayHaveReleased = this.#hasReserved && nowUs !== this.#readAtUs;
    this.#extend(news);
    // A clock that went back must not make a window end before its last event, or move back.
    this.#nowUs = Math.max(nowUs, this.#lastAtUs, this.#nowUs);
    const hasDropped = this.#log.dropBefore(this.#startUs(this.windowSeconds));
    // Counters are made again from the log: those that count what went, and those of old dates.
    if (hasDropped || this.#counters.size > COUNTERS_MAX) this.#counters.clear();
  }

  /** Allows and notes the intent, or refuses it; undefined when the log has to be read again. */
  decide(intent: Intent): Decision | undefined {
    const isStale = this.#nowUs - this.#readAtUs > RESERVED_MAX_AGE_US;
    if (isStale && this.#mayHaveReleased) return undefined;
    const claims = this.#claimsOf(intent);
    const violated = claims.filter(
      ({ policy, counter, units }) => counter.units + units > policy.max,
    );
    if (violated.length > 0) {
      return this.#mayHaveReleased ? undefined : this.#refuse(claims, violated);
    }
    const { kind, cost, lines, journalDate, reservationId } = intent;
    const state = reservationId === null ? "committed" : "reserved";
    const atUs = Math.max(this.#nowUs, this.#lastAtUs + 1);
    this.#extend([{ atUs, kind, cost, lines, journalDate, state }]);
    for (const { policy, counter } of claims) counter.moveTo(this.#startUs(policy.windowSeconds));
    return { allowed: true, atUs, policies: claims.map((claim) => this.#stateOf(claim)) };
  }

  #extend(events: readonly UsageEvent[]): void {
    this.#lastAtUs = Math.max(this.#lastAtUs, events.at(-1)?.atUs ?? 0);
    for (const event of events) {
      if (event.state === "released") continue;
      this.#hasReserved ||= event.state === "reserved";
      this.#log.push(event);
    }
  }

  #startUs(windowSeconds: number): number {
    return this.#nowUs - windowSeconds * 1_000_000;
  }

  #claimsOf(intent: Intent): Claim[] {
    const claims: Claim[] = [];
    for (const policy of this.#policies) {
      const units = unitsOf(policy, intent);
      if (units === 0) continue;
      const counter = this.#counterOf(policy, intent.journalDate);
      counter.moveTo(this.#startUs(policy.windowSeconds));
      claims.push({ policy, units, counter });
    }
    return claims;
  }

  #counterOf(policy: Policy, journalDate: string | null): WindowCounter {
    const own = counterKey(policy);
    const key = policy.eachJournalDate ? `${own}/${journalDate}` : own;
    const known = this.#counters.get(key);
    if (known) return known;
    const counter = new WindowCounter(policy, journalDate, this.#log);
    this.#counters.set(key, counter);
    return counter;
  }

  #refuse(claims: Claim[], violated: Claim[]): Refused {
    const violations = violated.map((claim) => this.#violationOf(claim)).sort(longestWaitFirst);
    // What may be released could change the answer, were it only its times.
    const isCertain = claims.every(({ counter }) => !counter.hasReserved);
    const frozen = violated.map((claim) => this.#frozenMs(claim));
    return {
      allowed: false,
      violations: violations as [Violation, ...Violation[]],
      policies: claims.map((claim) => this.#stateOf(claim)),
      frozenMs: isCertain ? Math.max(...frozen) : 0,
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
    const excess = counter.units - policy.max;
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
