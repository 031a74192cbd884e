import { UsageLedger } from "../src/domain/usage-ledger.ts";
import type { LogUpdate, SubjectUpdate } from "../src/domain/log-news.ts";
import type { Decision } from "../src/domain/decision.ts";
import type { Policy } from "../src/domain/policy.ts";
import { PolicySet } from "../src/domain/policy.ts";
import type { LimitRequest, UsageEvent } from "../src/domain/usage.ts";
import { logOf } from "../src/domain/usage.ts";

interface LoggedEvent extends UsageEvent {
  subject: string;
  requestId: string;
}

/** An account's logs and the instances' memory of them, with the same steps as a transaction. */
export class MemoryLog {
  readonly events: LoggedEvent[] = [];
  readonly #revisions = new Map<string, number>();
  readonly #known = new Map<string, UsageLedger>();

  decide(
    policies: readonly Policy[],
    limitRequest: LimitRequest,
    nowUs: number,
    instance = 0,
  ): Decision {
    const set = new PolicySet("test", policies, []);
    const applied = set.appliedTo(limitRequest);
    const windowSeconds = set.longestWindowSeconds(logOf(limitRequest));
    const name = `${instance} ${logOf(limitRequest)}`;
    let ledger = this.#known.get(name);
    if (ledger && ledger.windowSeconds < windowSeconds) ledger = undefined;
    ledger?.resume(nowUs, this.#newsFor(ledger, limitRequest, nowUs));
    let decision = ledger?.decide(limitRequest, applied);
    if (!ledger || !decision) {
      ledger = new UsageLedger(nowUs, windowSeconds);
      ledger.resume(nowUs, this.#newsFor(ledger, limitRequest, nowUs));
      decision = ledger.decide(limitRequest, applied) as Decision;
    }
    // As `AccountMemory` does; the other instance shows that it makes no difference.
    if (instance === 0) ledger.rest();
    this.#known.set(name, ledger);
    if (decision.allowed) this.#log(limitRequest, decision.atUs);
    return decision;
  }

  settle(requestId: string, state: "committed" | "released" | "failed"): void {
    const event = this.#find(requestId);
    if (event) event.state = state;
  }

  refund(requestId: string): void {
    const event = this.#find(requestId);
    if (!event) return;
    event.state = "released";
    this.#revisions.set(event.subject, this.#revisionOf(event.subject) + 1);
  }

  #newsFor(ledger: UsageLedger, limitRequest: LimitRequest, nowUs: number): LogUpdate {
    const inLog = this.events.filter((event) => logOf(event) === logOf(limitRequest));
    const bySubject = [...Map.groupBy(inLog, ({ subject }) => subject)];
    const subjects = bySubject.map(([subject, events]): SubjectUpdate => {
      const revision = this.#revisionOf(subject);
      const ours = ledger.subjects.get(subject);
      const isKnown = ours?.revision === revision;
      const sinceUs = isKnown ? ours.lastAtUs + 1 : nowUs - ledger.windowSeconds * 1_000_000;
      // Copies, like rows read from the database: later settlements do not change them.
      const news = events.filter(({ atUs }) => atUs >= sinceUs).map((event) => ({ ...event }));
      const read = isKnown ? undefined : revision;
      return { subject, revision: read, notedAtUs: undefined, events: news };
    });
    return { accountRevision: 0, subjects };
  }

  #revisionOf(subject: string): number {
    return this.#revisions.get(subject) ?? 0;
  }

  #find(requestId: string): LoggedEvent | undefined {
    return this.events.find((each) => each.requestId === requestId);
  }

  #log(limitRequest: LimitRequest, atUs: number): void {
    const { subject, kind, cost, lines, journalDate, requestId, reservationId } = limitRequest;
    const state = reservationId === null ? "committed" : "reserved";
    this.events.push({ atUs, kind, cost, lines, journalDate, state, subject, requestId });
  }
}
