/** What is counted by itself: an API key, a user's use of one OAuth client, or a user. */
export type SubjectKind = "api_key" | "connector" | "account";

/** What an event was: a request, or the kind of a journal write. */
export type UsageKind = "request" | MutationKind;

export const MUTATION_KINDS = ["log", "edit", "merge", "delete"] as const;
export type MutationKind = (typeof MUTATION_KINDS)[number];

/** What one call would use, if it is allowed. */
export interface Usage {
  kind: UsageKind;
  /** Requests or mutations: 1 or more. */
  cost: number;
  /** Food lines created. */
  lines: number;
  /** Civil date that the lines are created on. */
  journalDate: string | null;
}

/** A question to be decided: may this subject use this? */
export interface Intent extends Usage {
  /** Such as `key:<uuid>`, `connector:<account>:<client>` or `account:<uuid>`. */
  subject: string;
  subjectKind: SubjectKind;
  accountId: string;
  credentialId: string;
  requestId: string;
  /** Set when room is only held, until the reservation is committed or released. */
  reservationId: string | null;
}

/** Names all of an intent that its decision depends on: the same question has the same answer. */
export function questionOf({ subject, kind, cost, lines, journalDate }: Intent): string {
  return kind === "request"
    ? `${subject} ${cost}`
    : `${subject} ${kind} ${cost} ${lines} ${journalDate}`;
}

/** An event of the log. Moments are microseconds since 1970, as exact as the database has them. */
export interface UsageEvent extends Usage {
  atUs: number;
  /** A reserved event counts and may still be released; a released one counts no more. */
  state: "committed" | "reserved" | "released";
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
