import { Failure } from "@nutrition/core/failure";

/** A revoked grant that is to be deleted at the identity provider, leased to who asked for it. */
export interface UpstreamDeletion {
  id: string;
  leaseId: string;
  accountId: string;
  clientId: string;
  /** Null when the deletion needs a session that the person has yet to open. */
  sealedSession: Buffer | null;
  /** Leases so far, this one counted. */
  attempts: number;
}

const SEALED_SESSION_BYTES_MAX = 8_192;
/** Deletions that one call leases at most. */
export const TAKEN_MAX = 50;

/** The sealed session as it is stored, null for none; `invalid_argument` when it is too long. */
export function parseSealedSession(bytes: Uint8Array): Buffer | null {
  if (bytes.length > SEALED_SESSION_BYTES_MAX) {
    throw new Failure(
      "invalid_argument",
      "INVALID_SEALED_SESSION",
      `A sealed session has at most ${SEALED_SESSION_BYTES_MAX} bytes.`,
    );
  }
  return bytes.length === 0 ? null : Buffer.from(bytes);
}

/** Deletions to take at most, 50 for 0; `invalid_argument` outside of 0 to 50. */
export function parseTakenMax(max: number): number {
  if (max >= 0 && max <= TAKEN_MAX) return max || TAKEN_MAX;
  throw new Failure("invalid_argument", "INVALID_MAX", `max must be 0 to ${TAKEN_MAX}.`);
}

/**
 * A client cannot be connected while its earlier connection is being deleted at the provider, which
 * would delete the new one with it.
 */
export function deletionIsRunning(leaseEndsInMs: number): Failure {
  return new Failure(
    "unavailable",
    "CONNECTION_BEING_DELETED",
    "The earlier connection of this app is still being removed. Try again in a moment.",
    { retryAfterMs: Math.max(1_000, Math.ceil(leaseEndsInMs)) },
  );
}
