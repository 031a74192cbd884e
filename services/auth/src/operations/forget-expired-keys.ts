import type { Queryable } from "@nutrition/postgres/database";

import { deleteExpiredChangedKeys } from "../store/changed-key-store.ts";

const DELETED_AT_ONCE = 1_000;

/**
 * Deletes changed keys whose texts have expired: their expiry alone makes every gateway refuse them. Instances
 * may run it concurrently.
 */
export async function forgetExpiredKeys(db: Queryable): Promise<void> {
  while ((await deleteExpiredChangedKeys(db, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
}
