import type { DatabaseAccess } from "@nutrition/postgres/database";

import {
  deleteClaimsOf,
  deleteCostlyLinesOf,
  deleteEntriesOf,
  deleteItemsOf,
  deleteMutationsOf,
  deleteSettingsOf,
  deleteWeightsOf,
  excludeWriters,
  upsertErasure,
} from "../store/erasure-store.ts";

/** Rows deleted per statement, so that none runs for long. */
const DELETED_AT_ONCE = 5_000;

/** In the order required by foreign keys. */
const DELETIONS = [
  deleteItemsOf,
  deleteEntriesOf,
  deleteMutationsOf,
  deleteClaimsOf,
  deleteCostlyLinesOf,
  deleteWeightsOf,
  deleteSettingsOf,
];

/**
 * Refuses new writes of the account, waits for running ones, and deletes all its rows. Call it
 * again after a failure. Settled reservations stay: without the audit records, nothing links them
 * to the account.
 */
export async function eraseAccount(database: DatabaseAccess, accountId: string): Promise<void> {
  await database.transaction(async (tx) => {
    await excludeWriters(tx, accountId);
    await upsertErasure(tx, accountId);
  });
  for (const deleteSome of DELETIONS) {
    while ((await deleteSome(database, accountId, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
  }
}
