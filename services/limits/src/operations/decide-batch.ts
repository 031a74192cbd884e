import type { Database, Transaction } from "@nutrition/postgres/database";

import type { Decision } from "../domain/decision.ts";
import type { Policy, PolicySet } from "../domain/policy.ts";
import { SubjectLedger } from "../domain/subject-ledger.ts";
import type { Intent } from "../domain/usage.ts";
import type { ReadLog } from "../store/event-store.ts";
import { listEvents, sendEvents } from "../store/event-store.ts";
import { sendReservations } from "../store/reservation-store.ts";
import { lockSubjects, sendSubjects } from "../store/subject-store.ts";

/** What is known of subjects without reading all of their logs; it may be behind. */
export interface KnownSubjects {
  find(subject: string): SubjectLedger | undefined;
  set(subject: string, ledger: SubjectLedger): void;
  forget(subject: string): void;
}

export interface DecideOptions {
  policies: PolicySet;
  /** Time for which a reservation is left to its journal before a janitor asks. */
  holdMs: number;
  /** No other batch may use what is known of the same subjects at the same time. */
  known: KnownSubjects;
}

/** What was decided, in the order of the intents. */
export interface DecidedBatch {
  /** The database's time when it was decided. */
  nowUs: number;
  decisions: Decision[];
}

/** What a batch asks of one subject. */
export interface SubjectGroup {
  subject: string;
  accountId: string;
  intents: readonly Intent[];
  policies: readonly Policy[];
  known: SubjectLedger | undefined;
  /** From where its log is read: after what is known, else all of it that may count. */
  sinceUs: number | undefined;
  windowSeconds: number;
}

type Decide = (
  database: Database,
  intents: readonly Intent[],
  options: DecideOptions,
) => Promise<DecidedBatch>;

/**
 * Decides all intents in one transaction, in their order, and commits the events of those allowed
 * before it resolves: no decision is known to anyone that a crash could undo.
 */
export const decideBatch: Decide = decideAfter(lockAndRead);

/** Takes the locks and reads in statements of their own: in one, what is read is older than the lock. */
async function lockAndRead(tx: Transaction, groups: readonly SubjectGroup[]): Promise<ReadLog> {
  const subjects = groups.map(({ subject }) => subject);
  const [, log] = await Promise.all([lockSubjects(tx, subjects), listEvents(tx, groups)]);
  return log;
}

/** Decides batches with what `read` reads under the locks that it takes. */
export function decideAfter(
  read: (tx: Transaction, groups: readonly SubjectGroup[]) => Promise<ReadLog>,
): Decide {
  return async (database, intents, options) => {
    const groups = groupBySubject(intents, options);
    const deciding = database.transaction(async (tx) => {
      const log = await read(tx, groups);
      const outcomes = await decideLocked(tx, groups, log);
      write(tx, outcomes, { ...log, holdMs: options.holdMs });
      return { nowUs: log.nowUs, outcomes };
    });
    const { nowUs, outcomes } = await deciding.catch((error: unknown) => {
      // What was decided changed the ledgers, and may not be committed.
      for (const { subject } of groups) options.known.forget(subject);
      throw error;
    });
    for (const { group, ledger } of outcomes) options.known.set(group.subject, ledger);
    const decisions = new Map(outcomes.flatMap(({ decided }) => decided));
    return { nowUs, decisions: intents.map((intent) => decisions.get(intent) as Decision) };
  };
}

function groupBySubject(
  intents: readonly Intent[],
  { policies, known }: DecideOptions,
): SubjectGroup[] {
  return [...Map.groupBy(intents, (intent) => intent.subject)].map(([subject, group]) => {
    const first = group[0] as Intent;
    const applied = policies.appliedTo(first);
    const windowSeconds = Math.max(...applied.map((policy) => policy.windowSeconds));
    const ledger = known.find(subject);
    const usable = ledger && ledger.windowSeconds >= windowSeconds ? ledger : undefined;
    return {
      subject,
      accountId: first.accountId,
      intents: group,
      policies: applied,
      known: usable,
      sinceUs: usable && usable.lastAtUs + 1,
      windowSeconds,
    };
  });
}

/** What was decided about the intents of one subject. */
interface Outcome {
  group: SubjectGroup;
  ledger: SubjectLedger;
  decided: [Intent, Decision][];
}

async function decideLocked(
  tx: Transaction,
  groups: readonly SubjectGroup[],
  { nowUs, events }: ReadLog,
): Promise<Outcome[]> {
  const settled = groups.map((group) => {
    const { subject, policies, known, windowSeconds } = group;
    const read = events.get(subject) ?? [];
    const ledger = known ?? new SubjectLedger({ events: read, readAtUs: nowUs, windowSeconds });
    ledger.resume(policies, nowUs, known ? read : []);
    return { group, ledger, decided: decideAll(ledger, group) };
  });
  const outcomes = settled.filter((outcome): outcome is Outcome => outcome.decided !== undefined);
  const open = settled.filter(({ decided }) => decided === undefined);
  if (open.length === 0) return outcomes;
  return [...outcomes, ...(await decideAnew(tx, open, nowUs))];
}

/** Decides what takes all of the log, which is read as it is now. */
async function decideAnew(
  tx: Transaction,
  open: readonly { group: SubjectGroup }[],
  readAtUs: number,
): Promise<Outcome[]> {
  const wanted = open.map(({ group }) => {
    // As of the moment of the decision: by now, a little of the window would be gone.
    return { ...group, sinceUs: readAtUs - group.windowSeconds * 1_000_000 };
  });
  const { events } = await listEvents(tx, wanted);
  return open.map(({ group }) => {
    const { subject, policies, windowSeconds } = group;
    const read = events.get(subject) ?? [];
    const ledger = new SubjectLedger({ events: read, readAtUs, windowSeconds });
    ledger.resume(policies, readAtUs);
    const decided = decideAll(ledger, group);
    if (!decided) throw new Error("A log that was just read left an intent open.");
    return { group, ledger, decided };
  });
}

/** Decides a subject's intents; undefined when its log has to be read anew. */
function decideAll(
  ledger: SubjectLedger,
  { intents }: SubjectGroup,
): Outcome["decided"] | undefined {
  const decided: Outcome["decided"] = [];
  for (const intent of intents) {
    const decision = ledger.decide(intent);
    if (!decision) return undefined;
    decided.push([intent, decision]);
  }
  return decided;
}

function write(
  tx: Transaction,
  outcomes: readonly Outcome[],
  { unnoted, holdMs }: { unnoted: readonly string[]; holdMs: number },
): void {
  const allowed = outcomes.flatMap(({ decided }) =>
    decided.flatMap(([intent, decision]) =>
      decision.allowed ? [{ intent, atUs: decision.atUs }] : [],
    ),
  );
  if (allowed.length === 0) return;
  sendEvents(tx, allowed);
  const held = allowed.flatMap(({ intent: { reservationId: id, subject }, atUs }) =>
    id === null ? [] : [{ id, subject, atUs }],
  );
  if (held.length > 0) sendReservations(tx, held, holdMs);
  const used = outcomes
    .filter(({ group }) => unnoted.includes(group.subject))
    .map(({ ledger, group }) => ({ ...group, lastAtUs: ledger.lastAtUs }));
  if (used.length > 0) sendSubjects(tx, used);
}
