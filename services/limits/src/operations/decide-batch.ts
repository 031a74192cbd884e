import type { Database, Transaction } from "@nutrition/postgres/database";

import { UsageLedger } from "../domain/usage-ledger.ts";
import type { LogUpdate } from "../domain/log-news.ts";
import type { Decision } from "../domain/decision.ts";
import type { PolicySet } from "../domain/policy.ts";
import type { SteadyTime } from "../domain/steady-time.ts";
import type { LimitRequest } from "../domain/usage.ts";
import { sendEvents } from "../store/event-store.ts";
import type { ReadLogs } from "../store/log-store.ts";
import { listLogs } from "../store/log-store.ts";
import { sendReservations } from "../store/reservation-store.ts";
import { lockAccounts, sendSubjects } from "../store/subject-store.ts";
import { decideKnown } from "./decide-known.ts";
import type { Outcome } from "./decide-known.ts";
import { groupByLog } from "./log-groups.ts";
import type { LedgerCache, LogGroup } from "./log-groups.ts";

export interface DecideOptions {
  policies: PolicySet;
  /** How long after a reservation the journal is asked for its outcome. */
  holdMs: number;
  /** Survives the batch, as the cached ledgers do. */
  time: SteadyTime;
  /** Cached ledgers; no other batch may use them concurrently. */
  known: LedgerCache;
}

/** The decisions, in the order of the limit requests. */
export interface DecidedBatch {
  /** The database's time of the decision. */
  nowUs: number;
  decisions: Decision[];
}

type Decide = (
  database: Database,
  limitRequests: readonly LimitRequest[],
  options: DecideOptions,
) => Promise<DecidedBatch>;

const decideInTransaction = decideAfter(lockAndRead);

/**
 * Decides all limit requests; those of one log in order. Resolves after the events of allowed limit
 * requests are committed, so that a crash cannot undo a reported decision. Limit requests that
 * memory cannot decide are decided in a transaction. If it fails, requests that memory allowed stay
 * counted, as they do when the acknowledgement of a commit is lost.
 */
export const decideBatch: Decide = async (database, limitRequests, options) => {
  const groups = groupByLog(limitRequests, options);
  const deciding = decideKnown(database, groups, options.policies);
  const { nowUs, outcomes, open } = await deciding.catch((error: unknown) => {
    for (const { name } of groups) options.known.forget(name);
    throw error;
  });
  for (const { group, ledger } of outcomes) options.known.set(group.name, ledger);
  const decisions = new Map(outcomes.flatMap(({ decided }) => decided));
  const left = open.flatMap((group) => group.limitRequests);
  const rest = left.length > 0 ? await decideInTransaction(database, left, options) : undefined;
  for (const [index, limitRequest] of left.entries()) {
    decisions.set(limitRequest, rest?.decisions[index] as Decision);
  }
  return { nowUs: (rest?.nowUs ?? nowUs) as number, decisions: inOrder(limitRequests, decisions) };
};

function inOrder(
  limitRequests: readonly LimitRequest[],
  decisions: ReadonlyMap<LimitRequest, Decision>,
): Decision[] {
  return limitRequests.map((limitRequest) => decisions.get(limitRequest) as Decision);
}

/**
 * Locks and reads in separate statements: a single statement would read a snapshot from before the
 * lock.
 */
async function lockAndRead(tx: Transaction, groups: readonly LogGroup[]): Promise<ReadLogs> {
  const accountIds = groups.map(({ accountId }) => accountId);
  const [, logs] = await Promise.all([lockAccounts(tx, accountIds), readLogs(tx, groups)]);
  return logs;
}

function readLogs(tx: Transaction, groups: readonly LogGroup[]): Promise<ReadLogs> {
  return listLogs(
    tx,
    groups.map(({ accountId, log, windowSeconds, ledger }) => ({
      accountId,
      log,
      windowSeconds,
      known: [...(ledger?.subjects.values() ?? [])],
      accountRevision: ledger?.accountRevision,
    })),
  );
}

/** Decides batches with the logs that `read` returns after locking. */
export function decideAfter(
  read: (tx: Transaction, groups: readonly LogGroup[]) => Promise<ReadLogs>,
): Decide {
  return async (database, limitRequests, options) => {
    const groups = groupByLog(limitRequests, options);
    const deciding = database.transaction(async (tx) => {
      const askedAtMs = options.time.askedAtMs();
      const logs = await read(tx, groups);
      const nowUs = options.time.follow(logs.nowUs, askedAtMs);
      const reading = { groups, news: logs.news, nowUs, policies: options.policies };
      const outcomes = await decideLocked(tx, reading);
      write(tx, outcomes, options.holdMs);
      return { nowUs: logs.nowUs, outcomes };
    });
    const { nowUs, outcomes } = await deciding.catch((error: unknown) => {
      // The decisions changed the ledgers, and their transaction may have failed.
      for (const { name } of groups) options.known.forget(name);
      throw error;
    });
    for (const { group, ledger } of outcomes) options.known.set(group.name, ledger);
    const decisions = new Map(outcomes.flatMap(({ decided }) => decided));
    return { nowUs, decisions: inOrder(limitRequests, decisions) };
  };
}

interface Reading {
  groups: readonly LogGroup[];
  news: ReadLogs["news"];
  nowUs: number;
  policies: PolicySet;
}

async function decideLocked(
  tx: Transaction,
  { groups, news, nowUs, policies }: Reading,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const open: LogGroup[] = [];
  for (const [index, group] of groups.entries()) {
    const ledger = group.ledger ?? new UsageLedger(nowUs, group.windowSeconds);
    ledger.resume(nowUs, news[index] as LogUpdate);
    const decided = decideAll(ledger, group, policies);
    if (decided) outcomes.push({ group, ledger, decided });
    else open.push({ ...group, ledger: undefined });
  }
  if (open.length === 0) return outcomes;
  return [...outcomes, ...(await decideAnew(tx, { open, readAtUs: nowUs, policies }))];
}

/** Decides after reading the whole log again. */
async function decideAnew(
  tx: Transaction,
  { open, readAtUs, policies }: { open: LogGroup[]; readAtUs: number; policies: PolicySet },
): Promise<Outcome[]> {
  const { news } = await readLogs(tx, open);
  return open.map((group, index) => {
    const ledger = new UsageLedger(readAtUs, group.windowSeconds);
    ledger.resume(readAtUs, news[index] as LogUpdate);
    const decided = decideAll(ledger, group, policies);
    if (!decided) throw new Error("A freshly read log did not decide a limit request.");
    return { group, ledger, decided };
  });
}

/** Decides the limit requests of one log; undefined when the log must be read again. */
function decideAll(
  ledger: UsageLedger,
  { limitRequests }: LogGroup,
  policies: PolicySet,
): Outcome["decided"] | undefined {
  const decided: Outcome["decided"] = [];
  for (const limitRequest of limitRequests) {
    const decision = ledger.decide(limitRequest, policies.appliedTo(limitRequest));
    if (!decision) return undefined;
    decided.push([limitRequest, decision]);
  }
  return decided;
}

function write(tx: Transaction, outcomes: readonly Outcome[], holdMs: number): void {
  const allowed = outcomes.flatMap(({ ledger, decided }) =>
    decided.flatMap(([limitRequest, decision]) =>
      decision.allowed ? [{ ledger, limitRequest, atUs: decision.atUs }] : [],
    ),
  );
  if (allowed.length === 0) return;
  sendEvents(tx, allowed);
  const reservations = allowed.flatMap(({ limitRequest: { reservationId: id, subject }, atUs }) =>
    id === null ? [] : [{ id, subject, atUs }],
  );
  if (reservations.length > 0) sendReservations(tx, reservations, holdMs);
  const used = allowed.flatMap(({ ledger, limitRequest: { subject, accountId }, atUs }) =>
    ledger.needsOwnerRecord(subject, atUs) ? [{ subject, accountId, lastAtUs: atUs }] : [],
  );
  if (used.length > 0) sendSubjects(tx, used);
}
