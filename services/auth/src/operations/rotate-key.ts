import type { Clock } from "@nutrition/core/clock";
import { Failure } from "@nutrition/core/failure";
import type { Transaction } from "@nutrition/postgres/database";

import type { PublishRevocation } from "../publish-revocation.ts";
import type { Key } from "../domain/key.ts";
import { keyNotFound } from "../domain/key.ts";
import * as keys from "../store/key-store.ts";
import type { Actor } from "./assert-session.ts";
import type { IssuedKey, KeyIssue } from "./create-key.ts";
import { beginIssueTx, issueKeyTx } from "./create-key.ts";

export interface RotationDependencies extends KeyIssue {
  clock: Clock;
  publishRevocation: PublishRevocation;
}

/** The key to replace and how long it remains valid. */
export interface Rotation {
  accountId: string;
  keyId: string;
  /** 0 ends the old key immediately. */
  overlapSeconds: number;
  actor: Actor;
}

/**
 * Replaces an active key by one with the same name, scopes and lifetime. Both are valid during the
 * overlap; in an account without room for both, the old key ends immediately. Fails with
 * `not_found`, with `failed_precondition` when the key is not active or was already replaced, and
 * like `beginIssueTx`.
 */
export async function rotateKey(
  dependencies: RotationDependencies,
  { accountId, keyId, overlapSeconds, actor }: Rotation,
): Promise<IssuedKey & { predecessor: Key }> {
  const { database, clock, publishRevocation } = dependencies;
  const rotated = await database.transaction(async (tx) => {
    await beginIssueTx(tx, accountId, actor);
    const old = await getRotatableKeyTx(tx, accountId, keyId);
    const slot = await makeRoomTx(tx, old, overlapSeconds);
    const issued = await issueKeyTx(tx, dependencies, {
      accountId,
      name: old.name,
      scopes: old.scopes,
      expiresAt: sameLifetime(old, clock.now()),
      slot,
      predecessorId: old.id,
      creationId: null,
    });
    const predecessor = await keys.findKey(tx, accountId, { id: old.id });
    return { ...issued, predecessor: predecessor!.key };
  });
  if (rotated.predecessor.revokedAt) publishRevocation({ accountId, credentialId: keyId });
  return rotated;
}

async function getRotatableKeyTx(tx: Transaction, accountId: string, id: string): Promise<Key> {
  const found = await keys.findKey(tx, accountId, { id });
  if (!found) throw keyNotFound();
  const { key, state } = found;
  if (state !== "active") {
    throw notRotatable("KEY_NOT_ACTIVE", `The key is ${state}. Create a new key instead.`);
  }
  if (key.successorId !== null) {
    throw notRotatable(
      "KEY_ALREADY_ROTATED",
      "The key has already been replaced. Replace its successor instead.",
    );
  }
  return key;
}

/** Ends the old key now or after the overlap, and returns the slot of its successor. */
async function makeRoomTx(tx: Transaction, old: Key, overlapSeconds: number): Promise<number> {
  const free = await keys.findFreeSlotTx(tx, old.accountId);
  if (overlapSeconds > 0 && free !== undefined) {
    await keys.expireKeyAfter(tx, old.id, overlapSeconds);
    return free;
  }
  await keys.revokeKey(tx, old.id);
  const freed = await keys.findFreeSlotTx(tx, old.accountId);
  if (freed === undefined) throw new Error("A revoked key has left no free slot.");
  return freed;
}

function sameLifetime({ createdAt, expiresAt }: Key, now: Date): Date | null {
  return expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime());
}

function notRotatable(reason: string, message: string): Failure {
  return new Failure("failed_precondition", reason, message);
}
