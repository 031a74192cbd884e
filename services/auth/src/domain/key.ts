import { Failure } from "@nutrition/core/failure";
import { characterCount } from "@nutrition/core/text";

import type { PepperedHash } from "./pepper.ts";
import type { Scope } from "./scopes.ts";

/** An API key without its secret. */
export interface Key {
  id: string;
  accountId: string;
  publicId: string;
  prefix: string;
  name: string | null;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  successorId: string | null;
  /** Equal for uses from the same address, without revealing the address; null when unknown. */
  lastUsedNetwork: string | null;
  /** When it was first reported as leaked. */
  leakReportedAt: Date | null;
  /** Location of the leaked key, according to that report. */
  leakLocation: string | null;
}

/** Reason to review a key. */
export type KeyMark = "none" | "expired" | "never_used" | "idle";

const DAY_MS = 86_400_000;
const NEVER_USED_AFTER_MS = 7 * DAY_MS;
const IDLE_AFTER_MS = 90 * DAY_MS;

/** Reason to review a key at `now`; none for a revoked key. */
export function markOf(
  key: Pick<Key, "createdAt" | "expiresAt" | "revokedAt" | "lastUsedAt">,
  now: Date,
): KeyMark {
  const { createdAt, expiresAt, revokedAt, lastUsedAt } = key;
  if (revokedAt) return "none";
  if (expiresAt && expiresAt <= now) return "expired";
  const ageMs = now.getTime() - (lastUsedAt ?? createdAt).getTime();
  if (lastUsedAt) return ageMs >= IDLE_AFTER_MS ? "idle" : "none";
  return ageMs >= NEVER_USED_AFTER_MS ? "never_used" : "none";
}

/** State in a key's life cycle. Expired and revoked are final. */
export type KeyState = "active" | "expired" | "revoked";

/** A key to be stored. */
export interface NewKey {
  id: string;
  accountId: string;
  publicId: string;
  prefix: string;
  name: string | null;
  scopes: readonly Scope[];
  digest: PepperedHash;
  /** Version of the secret that signed its text; null for none. */
  signingVersion: number | null;
  expiresAt: Date | null;
  /** The key it replaces in a rotation. */
  predecessorId: string | null;
  /** Idempotency id of the creation, unique within the account. */
  creationId: string | null;
}

/** Maximum number of active keys of an account: the slots in the table `api_keys`. */
export const ACTIVE_KEYS_MAX = 10;

/** Maximum number of keys that a person may create in 24 hours, rotations included. */
export const CREATED_KEYS_PER_DAY_MAX = 20;

/** Number of ended keys kept for each account, newest first. */
export const ENDED_KEYS_KEPT = 200;

/** Maximum overlap of a rotated key with its successor: a week. */
export const OVERLAP_SECONDS_MAX = 604_800;

const KEY_NAME_LENGTH_MAX = 100;

/** Normalizes a key's name for storage, null for none; `invalid_argument` when it is too long. */
export function parseKeyName(text: string): string | null {
  const name = text.normalize("NFC").trim();
  if (characterCount(name) > KEY_NAME_LENGTH_MAX || /[\p{Cc}\p{Cs}]/u.test(name)) {
    throw new Failure(
      "invalid_argument",
      "INVALID_KEY_NAME",
      `The key's name must be one line of at most ${KEY_NAME_LENGTH_MAX} characters.`,
    );
  }
  return name === "" ? null : name;
}

/** Returns `expiresAt`; `invalid_argument` when a key created at `now` would never be valid. */
export function parseExpiry(expiresAt: Date | null, now: Date): Date | null {
  if (expiresAt && !(expiresAt > now)) {
    throw new Failure("invalid_argument", "EXPIRY_IN_PAST", "The expiry must be in the future.");
  }
  return expiresAt;
}

/** Returns `seconds`; `invalid_argument` unless it is 0 to a week. */
export function parseOverlap(seconds: number): number {
  if (seconds < 0 || seconds > OVERLAP_SECONDS_MAX) {
    throw new Failure(
      "invalid_argument",
      "INVALID_OVERLAP",
      `The overlap must be 0 to ${OVERLAP_SECONDS_MAX} seconds.`,
    );
  }
  return seconds;
}

/**
 * The failure for an account that has created too many keys; the next one is possible after
 * `retryAfterMs`.
 */
export function tooManyKeysCreated(retryAfterMs: number): Failure {
  return new Failure(
    "resource_exhausted",
    "KEY_CREATION_LIMIT_REACHED",
    `At most ${CREATED_KEYS_PER_DAY_MAX} keys can be created or replaced in 24 hours. Keep using the ones you have, or create the next one ${inHours(retryAfterMs)}.`,
    { retryAfterMs },
  );
}

function inHours(ms: number): string {
  const hours = Math.ceil(ms / 3_600_000);
  return hours <= 1 ? "in an hour" : `in ${hours} hours`;
}

/** The failure for a key id unknown to the account. It reveals nothing about other accounts. */
export function keyNotFound(): Failure {
  return new Failure("not_found", "KEY_NOT_FOUND", "This key does not exist.");
}
