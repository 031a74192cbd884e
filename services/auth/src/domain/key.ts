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
  /** The same for uses from the same address, which it does not tell; null when unknown. */
  lastUsedNetwork: string | null;
  /** When it was first reported as found in public. */
  leakReportedAt: Date | null;
  /** Where it was found, as that report says. */
  leakLocation: string | null;
}

/** Why somebody should look at a key. */
export type KeyMark = "none" | "expired" | "never_used" | "idle";

const DAY_MS = 86_400_000;
const NEVER_USED_AFTER_MS = 7 * DAY_MS;
const IDLE_AFTER_MS = 90 * DAY_MS;

/** Why a key should be looked at, at `now`. A revoked key needs no look. */
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

/** Where a key is in its life. Both ends are final. */
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
  expiresAt: Date | null;
  /** The key it replaces in a rotation. */
  predecessorId: string | null;
}

/** Active keys an account may have; the slots of the table `api_keys`. */
export const ACTIVE_KEYS_MAX = 10;

/** Longest time that a rotated key stays valid beside its successor: a week. */
export const OVERLAP_SECONDS_MAX = 604_800;

const KEY_NAME_LENGTH_MAX = 100;

/** The key's name as it is stored, null for none; `invalid_argument` when it is too long. */
export function parseKeyName(text: string): string | null {
  const name = text.normalize("NFC").trim();
  if (characterCount(name) > KEY_NAME_LENGTH_MAX || /[\p{Cc}\p{Cs}]/u.test(name)) {
    throw new Failure(
      "invalid_argument",
      "INVALID_KEY_NAME",
      `Name the key on one line, in at most ${KEY_NAME_LENGTH_MAX} characters.`,
    );
  }
  return name === "" ? null : name;
}

/** `expiresAt` itself; `invalid_argument` when a key made at `now` would never be valid. */
export function parseExpiry(expiresAt: Date | null, now: Date): Date | null {
  if (expiresAt && !(expiresAt > now)) {
    throw new Failure("invalid_argument", "EXPIRY_IN_PAST", "The expiry must be in the future.");
  }
  return expiresAt;
}

/** `seconds` itself; `invalid_argument` outside of 0 to a week. */
export function parseOverlap(seconds: number): number {
  if (seconds < 0 || seconds > OVERLAP_SECONDS_MAX) {
    throw new Failure(
      "invalid_argument",
      "INVALID_OVERLAP",
      `The overlap is 0 to ${OVERLAP_SECONDS_MAX} seconds.`,
    );
  }
  return seconds;
}

/** The account has no key of that id, which tells nothing about other accounts. */
export function keyNotFound(): Failure {
  return new Failure("not_found", "KEY_NOT_FOUND", "The account has no such key.");
}
