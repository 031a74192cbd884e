import type { Queryable } from "@nutrition/postgres/database";

import { UsageLedger } from "../domain/usage-ledger.ts";
import type { Decision } from "../domain/decision.ts";
import type { PolicySet } from "../domain/policy.ts";
import type { LimitRequest } from "../domain/usage.ts";
import { logKnownRequests } from "../store/request-store.ts";
import type { KnownRequests, LoggedRequests } from "../store/request-store.ts";
import type { LogGroup } from "./log-groups.ts";

/** The decisions on the limit requests of one log. */
export interface Outcome {
  group: LogGroup;
  ledger: UsageLedger;
  decided: [LimitRequest, Decision][];
}

/** The limit requests decided from memory, and those that need the log to be read. */
export interface KnownDecisions {
  /** The database's time; undefined when memory could decide nothing. */
  nowUs: number | undefined;
  outcomes: Outcome[];
  open: LogGroup[];
}

interface Candidate {
  group: LogGroup;
  requests: KnownRequests;
}

/**
 * Allows requests that fit according to memory, in a single statement that stores them only where
 * memory proves complete. The statement is its own transaction and is committed when this resolves.
 * An account that is not in memory counts as one without requests in the window. Refusals are left
 * undecided: they must be exact, and they are rare.
 */
export async function decideKnown(
  database: Queryable,
  groups: readonly LogGroup[],
  policies: PolicySet,
): Promise<KnownDecisions> {
  const candidates: Candidate[] = [];
  const open: LogGroup[] = [];
  for (const group of groups) {
    const requests = requestsOf(group, policies);
    if (requests) candidates.push({ group, requests });
    else open.push(group);
  }
  if (candidates.length === 0) return { nowUs: undefined, outcomes: [], open };
  const { nowUs, logged } = await logKnownRequests(
    database,
    candidates.map(({ requests }) => requests),
  );
  const outcomes: Outcome[] = [];
  for (const [index, { group }] of candidates.entries()) {
    const { isLogged, ...about } = logged[index] as LoggedRequests;
    if (isLogged) outcomes.push(record(group, about, policies));
    else open.push(group);
  }
  return { nowUs, outcomes, open };
}

/** Undefined when the log must be read. */
function requestsOf(group: LogGroup, policies: PolicySet): KnownRequests | undefined {
  const { accountId, limitRequests, windowSeconds } = group;
  const { subject } = limitRequests[0] as LimitRequest;
  const isOfOneSubject = limitRequests.every((limitRequest) => limitRequest.subject === subject);
  if (group.log !== "requests" || !isOfOneSubject) return undefined;
  const ledger = group.ledger ?? new UsageLedger(0, windowSeconds);
  const { accountRevision } = ledger;
  const isKnown = accountRevision !== undefined && ledger.subjects.has(subject);
  if (group.ledger && !isKnown) return undefined;
  if (!ledger.hasRoomFor(limitRequests, (limitRequest) => policies.appliedTo(limitRequest)))
    return undefined;
  const knownSubjects = group.ledger ? [...ledger.subjects.values()] : [];
  return {
    accountId,
    limitRequests,
    known: knownSubjects,
    accountRevision,
    firstUs: ledger.nextUs,
    windowSeconds,
  };
}

/** Updates the ledger with the committed requests. */
function record(
  group: LogGroup,
  { atUs, accountRevision, notedAtUs }: Omit<LoggedRequests, "isLogged">,
  policies: PolicySet,
): Outcome {
  const { limitRequests, windowSeconds } = group;
  const { subject } = limitRequests[0] as LimitRequest;
  const ledger = group.ledger ?? new UsageLedger(atUs, windowSeconds);
  const isNew = accountRevision !== ledger.accountRevision;
  const noted = { subject, revision: undefined, notedAtUs, events: [] };
  const news = isNew ? { accountRevision, subjects: [noted] } : NO_NEWS;
  ledger.resume(atUs, news);
  const decided = limitRequests.map((limitRequest): [LimitRequest, Decision] => {
    const decision = ledger.decide(limitRequest, policies.appliedTo(limitRequest));
    if (!decision?.allowed) throw new Error("A request was logged that exceeds a limit.");
    return [limitRequest, decision];
  });
  return { group, ledger, decided };
}

const NO_NEWS = { accountRevision: undefined, subjects: [] };
