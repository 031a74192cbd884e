import { Failure } from "@nutrition/core/failure";

/** A revoked grant to delete at the identity provider, leased to one caller. */
export interface UpstreamDeletion {
  id: string;
  leaseId: string;
  accountId: string;
  clientId: string;
  /** Null when the deletion has to wait for the person's next session. */
  sealedSession: Buffer | null;
  /** Number of leases, including this one. */
  attempts: number;
}

const SEALED_SESSION_BYTES_MAX = 8_192;
/** Maximum number of deletions that one call leases. */
export const LEASES_MAX = 50;

/**
 * Validates a sealed session for storage, null for none; `invalid_argument` when it is too long.
 */
export function parseSealedSession(bytes: Uint8Array): Buffer | null {
  if (bytes.length > SEALED_SESSION_BYTES_MAX) {
    throw new Failure(
      "invalid_argument",
      "INVALID_SEALED_SESSION",
      `A sealed session must be at most ${SEALED_SESSION_BYTES_MAX} bytes.`,
    );
  }
  return bytes.length === 0 ? null : Buffer.from(bytes);
}

/** Maximum number of deletions to lease, 50 for 0; `invalid_argument` unless it is 0 to 50. */
export function parseLeasesMax(max: number): number {
  if (max >= 0 && max <= LEASES_MAX) return max || LEASES_MAX;
  throw new Failure("invalid_argument", "INVALID_MAX", `max must be 0 to ${LEASES_MAX}.`);
}

/**
 * The failure for connecting a client whose earlier connection is being deleted at the provider,
 * because that would delete the new one too.
 */
export function deletionInProgress(leaseEndsInMs: number): Failure {
  return new Failure(
    "unavailable",
    "CONNECTION_BEING_DELETED",
    "The earlier connection of this app is still being removed. Try again in a moment.",
    { retryAfterMs: Math.max(1_000, Math.ceil(leaseEndsInMs)) },
  );
}
