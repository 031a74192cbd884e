import { Failure } from "@nutrition/core/failure";

/** Maximum number of live sessions of an account; another sign-in ends the oldest. */
export const SESSIONS_MAX = 50;

/** Identifies the session that requests a write. */
export interface SessionKey {
  accountId: string;
  /** UUID of the session. */
  sessionId: string;
}

/** State of a live session. */
export interface LiveSession {
  /** Whether the person signed in within the last 10 minutes. */
  isRecent: boolean;
}

/**
 * The failure for a session that was ended, has expired or never existed, without telling which.
 */
export function sessionEnded(): Failure {
  return new Failure("unauthenticated", "SESSION_ENDED", "You are signed out. Sign in again.");
}

/** The failure for an action that needs a more recent sign-in. */
export function signInNotRecent(): Failure {
  return new Failure(
    "failed_precondition",
    "SIGN_IN_NOT_RECENT",
    "This needs a sign-in from the last 10 minutes. Sign in again, then retry.",
  );
}
