import type { Database } from "@nutrition/postgres/database";

import {
  deleteClaimsOf,
  deleteEntriesOf,
  deleteItemsOf,
  deleteMutationsOf,
  deleteSettingsOf,
  deleteWeightsOf,
  excludeWriters,
  upsertErasure,
} from "../store/erasure-store.ts";

/** Rows deleted in one statement, so that none runs for long. */
const DELETED_AT_ONCE = 5_000;

/** In the order that references allow. */
const DELETIONS = [
  deleteItemsOf,
  deleteEntriesOf,
  deleteMutationsOf,
  deleteClaimsOf,
  deleteWeightsOf,
  deleteSettingsOf,
];

/**
 * Refuses the account's writes from now on, waits for those that run, and deletes every row of it.
 * After a failure it is to be called again. Settled reservations stay: nothing in them leads to the
 * account once its audit records are gone.
 */
export async function eraseAccount(database: Database, accountId: string): Promise<void> {
  await database.transaction(async (tx) => {
    await excludeWriters(tx, accountId);
    await upsertErasure(tx, accountId);
  });
  for (const deleteSome of DELETIONS) {
    while ((await deleteSome(database, accountId, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
  }
}
