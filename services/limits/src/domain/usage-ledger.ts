import { refuse, stateOf } from "./policy-check.ts";
import type { PolicyCheck } from "./policy-check.ts";
import { CountedLog } from "./counted-log.ts";
import type { Decision } from "./decision.ts";
import type { SubjectState, LogUpdate, SubjectUpdate } from "./log-news.ts";
import { unitsOf } from "./policy.ts";
import type { Policy } from "./policy.ts";
import type { LimitRequest, UsageEvent } from "./usage.ts";
import type { WindowCounter } from "./window-counter.ts";

/** Interval at which released reservations are read, so that their units become available. */
const RESERVED_MAX_AGE_US = 60_000_000;

/** Interval at which the owner of a subject is recorded again. */
const NOTED_FOR_US = 86_400_000_000;

/** Size of a ledger without subjects and events, which is most of it for accounts that call rarely. */
const LEDGER_BYTES = 1_200;
/** Includes the identifier. */
const SUBJECT_BYTES = 200;

interface KnownSubject extends SubjectState {
  notedAtUs: number | undefined;
}

/**
 * The events of one log of an account, requests or writes, over all its subjects. The holder of the
 * account's lock first adds the events logged since, then decides one limit request after another.
 * If the transaction does not commit, the ledger is wrong and must be dropped. Reservations may
 * have been released since the log was read: the ledger may then still allow a limit request, but
 * before it refuses one, the log must be read again.
 */
export class UsageLedger {
  /**
   * Window in seconds for which the log was read; a policy with a longer one needs another read.
   */
  readonly windowSeconds: number;
  readonly #subjects = new Map<string, KnownSubject>();
  readonly #log = new CountedLog();
  readonly #readAtUs: number;
  #accountRevision: number | undefined;
  #nowUs = 0;
  #lastAtUs = 0;
  #hasReserved = false;
  #mayHaveReleased = false;

  /** The ledger starts empty: the first news must contain every event that counts in the window. */
  constructor(readAtUs: number, windowSeconds: number) {
    this.windowSeconds = windowSeconds;
    this.#readAtUs = readAtUs;
  }

  /** Estimated heap size in bytes. */
  get bytes(): number {
    return LEDGER_BYTES + this.#subjects.size * SUBJECT_BYTES + this.#log.bytes;
  }

  /**
   * Revision of the account when its subjects were last read; undefined when they must be read
   * again.
   */
  get accountRevision(): number | undefined {
    return this.#accountRevision;
  }

  get subjects(): ReadonlyMap<string, SubjectState> {
    return this.#subjects;
  }

  /** The earliest moment that the next event may have. */
  get nextUs(): number {
    return Math.max(this.#nowUs, this.#lastAtUs + 1);
  }

  /** Advances to `nowUs`; `news` contains everything logged since. */
  resume(nowUs: number, { accountRevision, subjects }: LogUpdate): void {
    this.#mayHaveReleased = this.#hasReserved && nowUs !== this.#readAtUs;
    if (accountRevision !== undefined) {
      this.#accountRevision = accountRevision;
      for (const subject of this.#subjects.values()) subject.notedAtUs = undefined;
    }
    for (const each of subjects) this.#learn(each);
    // If the clock moved back, a window must still not move back or end before its last event.
    this.#nowUs = Math.max(nowUs, this.#lastAtUs, this.#nowUs);
    this.#log.dropBefore(this.#startUs(this.windowSeconds));
  }

  /** Frees what the next decision can recompute cheaply. */
  rest(): void {
    this.#log.rest();
  }

  /**
   * Whether the limit requests, all of one subject, fit together even if nothing has left its
   * window since the last decision. If so, all of them will be allowed as long as nothing else is
   * logged.
   */
  hasRoomFor(
    limitRequests: readonly LimitRequest[],
    policiesOf: (limitRequest: LimitRequest) => readonly Policy[],
  ): boolean {
    const units = new Map<WindowCounter, number>();
    return limitRequests.every((limitRequest) =>
      this.#checksOf(limitRequest, policiesOf(limitRequest)).every((check) => {
        const taken = (units.get(check.counter) ?? check.counter.units) + check.units;
        units.set(check.counter, taken);
        return taken <= check.policy.max;
      }),
    );
  }

  /**
   * Allows and records the limit request, or refuses it; undefined when the log must be read again.
   */
  decide(limitRequest: LimitRequest, policies: readonly Policy[]): Decision | undefined {
    const isStale = this.#nowUs - this.#readAtUs > RESERVED_MAX_AGE_US;
    if (isStale && this.#mayHaveReleased) return undefined;
    const checks = this.#checksOf(limitRequest, policies);
    const violated = checks.filter(
      ({ policy, counter, units }) => counter.units + units > policy.max,
    );
    if (violated.length > 0) {
      return this.#mayHaveReleased ? undefined : refuse(checks, violated, this.#nowUs);
    }
    const { kind, cost, lines, journalDate, reservationId } = limitRequest;
    const state = reservationId === null ? "committed" : "reserved";
    const atUs = this.nextUs;
    const event: UsageEvent = { atUs, kind, cost, lines, journalDate, state };
    this.#append(this.#subject(limitRequest.subject), event);
    for (const { policy, counter } of checks) counter.moveTo(this.#startUs(policy.windowSeconds));
    return { allowed: true, atUs, policies: checks.map((check) => stateOf(check, this.#nowUs)) };
  }

  /**
   * Whether the owner of a subject used at `atUs` has to be recorded. If so, it counts as recorded,
   * and the account's subjects are read again before the next decision.
   */
  needsOwnerRecord(subject: string, atUs: number): boolean {
    const known = this.#subject(subject);
    if (known.notedAtUs !== undefined && atUs - known.notedAtUs < NOTED_FOR_US) return false;
    known.notedAtUs = atUs;
    this.#accountRevision = undefined;
    return true;
  }

  #subject(subject: string): KnownSubject {
    let known = this.#subjects.get(subject);
    if (!known) {
      known = { subject, revision: 0, lastAtUs: 0, notedAtUs: undefined };
      this.#subjects.set(subject, known);
    }
    return known;
  }

  #learn({ subject, revision, notedAtUs, events }: SubjectUpdate): void {
    const known = this.#subject(subject);
    known.notedAtUs = notedAtUs ?? known.notedAtUs;
    if (revision !== undefined) {
      known.revision = revision;
      this.#log.replace((kept) => kept.filter(({ usage }) => usage.subject !== subject));
    }
    // Events are read subject by subject.
    const isLate = events.some(({ atUs }) => atUs <= this.#lastAtUs);
    for (const event of events) this.#append(known, event);
    if (isLate) this.#log.replace((kept) => kept.toSorted((a, b) => a.atUs - b.atUs));
  }

  #append(known: KnownSubject, event: UsageEvent): void {
    known.lastAtUs = Math.max(known.lastAtUs, event.atUs);
    this.#lastAtUs = Math.max(this.#lastAtUs, event.atUs);
    if (event.state === "released") return;
    this.#hasReserved ||= event.state === "reserved";
    this.#log.push(known.subject, event);
  }

  #startUs(windowSeconds: number): number {
    return this.#nowUs - windowSeconds * 1_000_000;
  }

  #checksOf(limitRequest: LimitRequest, policies: readonly Policy[]): PolicyCheck[] {
    const checks: PolicyCheck[] = [];
    for (const policy of policies) {
      const units = unitsOf(policy, limitRequest, "reserved");
      if (units === 0) continue;
      const counter = this.#log.counterOf(policy, limitRequest);
      counter.moveTo(this.#startUs(policy.windowSeconds));
      checks.push({ policy, units, counter });
    }
    return checks;
  }
}
