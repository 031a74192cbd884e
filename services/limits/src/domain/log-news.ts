import type { UsageEvent } from "./usage.ts";

/** Events read for one subject of an account. */
export interface SubjectUpdate {
  subject: string;
  /**
   * Revision of the subject. Set when every event in the window was read, not only those after the
   * last known one.
   */
  revision: number | undefined;
  /** When the subject's owner was last recorded; undefined if that was not read. */
  notedAtUs: number | undefined;
  /** Oldest first, released ones included. */
  events: UsageEvent[];
}

/** Events read for one log of an account. */
export interface LogUpdate {
  /** Revision of the account's subjects, if they were read; -1 when none is recorded. */
  accountRevision: number | undefined;
  subjects: SubjectUpdate[];
}

/** State of one subject without its events. */
export interface SubjectState {
  subject: string;
  revision: number;
  /** Time of its last event, counted or not. */
  lastAtUs: number;
}
