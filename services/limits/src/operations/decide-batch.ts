import type { Database, Transaction } from "@nutrition/postgres/database";

import type { Decision } from "../domain/decision.ts";
import type { PolicySet } from "../domain/policy.ts";
import type { SubjectState } from "../domain/subject-ledger.ts";
import { SubjectLedger } from "../domain/subject-ledger.ts";
import type { Intent } from "../domain/usage.ts";
import type { NewEvent, NewState } from "../store/event-store.ts";
import { insertDecisions, listEvents } from "../store/event-store.ts";
import { lockSubjects, readSubjects } from "../store/subject-store.ts";

export interface DecideOptions {
  policies: PolicySet;
  /** Time for which a reservation is left to its journal before a janitor asks. */
  holdMs: number;
}

/** Subjects that this transaction holds the locks of, as they were found. */
export interface LockedSubjects {
  /** The database's time. */
  nowUs: number;
  states: ReadonlyMap<string, SubjectState>;
}

/**
 * Decides all intents in one transaction, in their order, and commits the events of those allowed
 * before it resolves: no decision is known to anyone that a crash could undo.
 */
export async function decideBatch(
  database: Database,
  intents: readonly Intent[],
  options: DecideOptions,
): Promise<Decision[]> {
  const subjects = [...new Set(intents.map((intent) => intent.subject))];
  return database.transaction(async (tx) => {
    await lockSubjects(tx, subjects);
    // Never in one statement with the lock: it would read what was true before the wait.
    const locked = await readSubjects(tx, subjects);
    return decideLocked(tx, intents, { ...options, ...locked });
  });
}

/** Decides intents whose subjects' locks are held, and writes the outcome. */
export async function decideLocked(
  tx: Transaction,
  intents: readonly Intent[],
  context: DecideOptions & LockedSubjects,
): Promise<Decision[]> {
  const groups = [...Map.groupBy(intents, (intent) => intent.subject).values()];
  const settled = groups.map((group) => decideFromState(group, context));
  const open = groups.filter((_, index) => settled[index] === undefined);
  const outcomes = settled.filter((outcome) => outcome !== undefined);
  if (open.length > 0) outcomes.push(...(await decideFromLog(tx, open, context)));
  const decisions = new Map(outcomes.flatMap(({ decided }) => decided));
  await write(tx, outcomes, context.holdMs);
  return intents.map((intent) => decisions.get(intent) as Decision);
}

type Decided = [Intent, Decision];

/** What was decided about the intents of one subject. */
interface Outcome {
  first: Intent;
  decided: Decided[];
  state: SubjectState;
}

/** Decides a subject's intents by upper bounds; undefined when any of them takes the log. */
function decideFromState(
  group: readonly Intent[],
  { policies, nowUs, states }: DecideOptions & LockedSubjects,
): Outcome | undefined {
  const first = group[0] as Intent;
  const state = states.get(first.subject);
  const ledger = state && SubjectLedger.fromState(policies.appliedTo(first), state, nowUs);
  return ledger && decideAll(ledger, group);
}

async function decideFromLog(
  tx: Transaction,
  groups: readonly Intent[][],
  { policies, nowUs, states }: DecideOptions & LockedSubjects,
): Promise<Outcome[]> {
  const subjects = groups.map((group) => {
    const first = group[0] as Intent;
    const applied = policies.appliedTo(first);
    const lastAtUs = states.get(first.subject)?.lastAtUs ?? 0;
    const longestSeconds = Math.max(...applied.map((policy) => policy.windowSeconds));
    const sinceUs = Math.max(nowUs, lastAtUs) - longestSeconds * 1_000_000;
    return { subject: first.subject, group, applied, lastAtUs, sinceUs };
  });
  const events = await listEvents(tx, subjects);
  return subjects.map(({ subject, group, applied, lastAtUs }) => {
    const moments = { nowUs, lastAtUs };
    const ledger = SubjectLedger.fromLog(applied, events.get(subject) ?? [], moments);
    const outcome = decideAll(ledger, group);
    if (!outcome) throw new Error("An exact ledger left an intent open.");
    return outcome;
  });
}

function decideAll(ledger: SubjectLedger, group: readonly Intent[]): Outcome | undefined {
  const decided: Decided[] = [];
  for (const intent of group) {
    const decision = ledger.decide(intent);
    if (!decision) return undefined;
    decided.push([intent, decision]);
  }
  return { first: group[0] as Intent, decided, state: ledger.state };
}

async function write(tx: Transaction, outcomes: readonly Outcome[], holdMs: number): Promise<void> {
  const events: NewEvent[] = [];
  const states: NewState[] = [];
  for (const { first, decided, state } of outcomes) {
    const before = events.length;
    for (const [intent, decision] of decided) {
      if (decision.allowed) events.push({ intent, atUs: decision.atUs });
    }
    const { subject, accountId } = first;
    if (events.length > before) states.push({ subject, accountId, state });
  }
  if (events.length > 0) await insertDecisions(tx, { events, states, holdMs });
}
