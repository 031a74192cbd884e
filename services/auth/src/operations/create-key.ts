import { Failure } from "@nutrition/core/failure";
import { newId } from "@nutrition/core/ids";
import type { Database, Transaction } from "@nutrition/postgres/database";

import { accountNotFound } from "../domain/account.ts";
import { displayPrefix, generateApiKey } from "../domain/api-key.ts";
import type { Key } from "../domain/key.ts";
import { ACTIVE_KEYS_MAX } from "../domain/key.ts";
import type { Peppers } from "../domain/pepper.ts";
import type { Scope } from "../domain/scopes.ts";
import { lockAccountTx } from "../store/account-store.ts";
import { findFreeSlotTx, freeExpiredSlotsTx, insertKey } from "../store/key-store.ts";

/** A key and its text, which exists nowhere else. */
export interface IssuedKey {
  apiKey: string;
  key: Key;
}

/** What a key is to be. */
export interface KeySpecification {
  accountId: string;
  name: string | null;
  scopes: readonly Scope[];
  expiresAt: Date | null;
}

/**
 * Makes a key. Fails with `not_found` for an unknown account and with `failed_precondition` when
 * the account has as many active keys as it may.
 */
export async function createKey(
  database: Database,
  peppers: Peppers,
  specification: KeySpecification,
): Promise<IssuedKey> {
  const { accountId } = specification;
  return database.transaction(async (tx) => {
    if (!(await lockAccountTx(tx, accountId))) throw accountNotFound();
    await freeExpiredSlotsTx(tx, accountId);
    const slot = await findFreeSlotTx(tx, accountId);
    if (slot === undefined) throw tooManyKeys();
    return issueKeyTx(tx, peppers, { ...specification, slot, predecessorId: null });
  });
}

/** Makes the text of a key and stores the rest in a slot that is free. */
export async function issueKeyTx(
  tx: Transaction,
  peppers: Peppers,
  specification: KeySpecification & { slot: number; predecessorId: string | null },
): Promise<IssuedKey> {
  const { text, publicId } = generateApiKey();
  const { slot, ...rest } = specification;
  const prefix = displayPrefix(publicId);
  const digest = peppers.hashKey(text);
  const key = await insertKey(tx, { ...rest, id: newId(), publicId, prefix, digest }, slot);
  return { apiKey: text, key };
}

function tooManyKeys(): Failure {
  return new Failure(
    "failed_precondition",
    "KEY_LIMIT_REACHED",
    `An account has at most ${ACTIVE_KEYS_MAX} active keys. Revoke one, then create the new one.`,
  );
}
