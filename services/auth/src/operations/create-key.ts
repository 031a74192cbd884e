import { displayPrefix, generateApiKey } from "@nutrition/core/api-key";
import type { KeySigner } from "@nutrition/core/key-signing";
import { Failure } from "@nutrition/core/failure";
import { newId } from "@nutrition/core/ids";
import type { Database, Transaction } from "@nutrition/postgres/database";
import { violatedConstraint } from "@nutrition/postgres/database";

import { accountNotFound } from "../domain/account.ts";
import type { Key } from "../domain/key.ts";
import {
  ACTIVE_KEYS_MAX,
  CREATED_KEYS_PER_DAY_MAX,
  ENDED_KEYS_KEPT,
  tooManyKeysCreated,
} from "../domain/key.ts";
import type { Peppers } from "../domain/pepper.ts";
import type { Scope } from "../domain/scopes.ts";
import { lockAccountTx } from "../store/account-store.ts";
import * as keys from "../store/key-store.ts";
import type { Actor } from "./assert-session.ts";
import { assertRecentTx } from "./assert-session.ts";

/** A key with its text, which is not stored anywhere. */
export interface IssuedKey {
  apiKey: string;
  key: Key;
}

export interface KeyIssue {
  database: Database;
  peppers: Peppers;
  /** Signs the texts of keys; without it, they can only be looked up. */
  keySigner: KeySigner | undefined;
}

/** Properties of a key to create. */
export interface KeySpecification {
  accountId: string;
  name: string | null;
  scopes: readonly Scope[];
  expiresAt: Date | null;
}

/**
 * Creates a key. Fails with `not_found` for an unknown account, with `failed_precondition` when the
 * account has the maximum number of active keys, with `already_exists` when this creation id was
 * already used, and like `beginIssueTx`.
 */
export async function createKey(
  dependencies: KeyIssue,
  specification: KeySpecification & { creationId: string | null; actor: Actor },
): Promise<IssuedKey> {
  const { actor, ...rest } = specification;
  try {
    return await dependencies.database.transaction(async (tx) => {
      await beginIssueTx(tx, rest.accountId, actor);
      const slot = await keys.findFreeSlotTx(tx, rest.accountId);
      if (slot === undefined) throw tooManyKeys();
      return issueKeyTx(tx, dependencies, { ...rest, slot, predecessorId: null });
    });
  } catch (error) {
    if (violatedConstraint(error) === "api_keys_creation_unique") throw createdBefore();
    throw error;
  }
}

/**
 * Locks the account's keys and cleans up: ended keys free their slots, and the oldest of them are
 * deleted. For a person, fails like `assertRecentTx`, and with `resource_exhausted` when they have
 * created the maximum number of keys in a day.
 */
export async function beginIssueTx(
  tx: Transaction,
  accountId: string,
  actor: Actor,
): Promise<void> {
  if (!(await lockAccountTx(tx, accountId))) throw accountNotFound();
  await assertRecentTx(tx, actor);
  const delayMs = await keys.findCreationDelayMs(tx, accountId, CREATED_KEYS_PER_DAY_MAX);
  if (actor !== "operator" && delayMs !== undefined) throw tooManyKeysCreated(delayMs);
  await keys.freeExpiredSlotsTx(tx, accountId);
  await keys.deleteOldKeysTx(tx, accountId, ENDED_KEYS_KEPT);
}

/** Generates the text of a key and stores the rest in a free slot. */
export async function issueKeyTx(
  tx: Transaction,
  { peppers, keySigner }: Pick<KeyIssue, "peppers" | "keySigner">,
  specification: KeySpecification & {
    slot: number;
    predecessorId: string | null;
    creationId: string | null;
  },
): Promise<IssuedKey> {
  const { slot, ...rest } = specification;
  const id = newId();
  const { text, publicId, signingVersion } = keySigner?.generate({ ...rest, keyId: id }) ?? {
    ...generateApiKey(),
    signingVersion: null,
  };
  const prefix = displayPrefix(publicId);
  const digest = peppers.hashKey(text);
  const added = { ...rest, id, publicId, prefix, digest, signingVersion };
  return { apiKey: text, key: await keys.insertKey(tx, added, slot) };
}

function createdBefore(): Failure {
  return new Failure(
    "already_exists",
    "KEY_ALREADY_CREATED",
    "This key was already created, and its text cannot be shown again. Revoke it and create another.",
  );
}

function tooManyKeys(): Failure {
  return new Failure(
    "failed_precondition",
    "KEY_LIMIT_REACHED",
    `An account has at most ${ACTIVE_KEYS_MAX} active keys. Revoke one, then create the new one.`,
  );
}
