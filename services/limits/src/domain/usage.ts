import type { MutationKind } from "@nutrition/core/write-tools";

/** Kind of subject of an event: an API key, one user's use of an OAuth client, or a user. */
export type SubjectKind = "api_key" | "connector" | "account";

/** The logs of an account; no policy counts in both. */
export type LogKind = "requests" | "writes";

/** What an event records: a request, or a kind of journal write. */
export type UsageKind = "request" | MutationKind;

/** Units that one call uses if it is allowed. */
export interface Usage {
  kind: UsageKind;
  /** Requests or mutations: 1 or more. */
  cost: number;
  /** Food lines created. */
  lines: number;
  /** Journal date of the created lines. */
  journalDate: string | null;
}

/** The question whether an account may use something with a credential. */
export interface LimitRequest extends Usage {
  /** `key:<uuid>` or `connector:<account>:<client>` of a request, `account:<uuid>` of a write. */
  subject: string;
  subjectKind: SubjectKind;
  accountId: string;
  credentialId: string;
  requestId: string;
  /** Set when the units are only reserved, until they are committed or released. */
  reservationId: string | null;
}

/** Identifies everything that the decision depends on: equal questions have equal answers. */
export function decisionKey({ subject, kind, cost, lines, journalDate }: LimitRequest): string {
  return kind === "request"
    ? `${subject} ${cost}`
    : `${subject} ${kind} ${cost} ${lines} ${journalDate}`;
}

/** The log of the account that a limit request belongs to. */
export function logOf({ kind }: Usage): LogKind {
  return kind === "request" ? "requests" : "writes";
}

/** An event of the log. Moments are microseconds since 1970, the database's full precision. */
export interface UsageEvent extends Usage {
  atUs: number;
  /**
   * A reserved event counts and may still be released. A released event does not count, except that
   * a failed analysis counts toward policies on failed analyses.
   */
  state: "committed" | "reserved" | "released" | "failed";
}

/** The subject of an API key. */
export function keySubject(keyId: string): string {
  return `key:${keyId}`;
}

/** The subject of one user's use of one OAuth client. */
export function connectorSubject(accountId: string, clientId: string): string {
  return `connector:${accountId}:${clientId}`;
}

/** The subject of a user. */
export function accountSubject(accountId: string): string {
  return `account:${accountId}`;
}
