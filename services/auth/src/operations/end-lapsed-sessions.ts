import type { Queryable } from "@nutrition/postgres/database";

import { deleteExpiredSessions } from "../store/session-store.ts";

const DELETED_AT_ONCE = 1_000;

/** Deletes all lapsed sessions. Instances may run it concurrently. */
export async function endLapsedSessions(db: Queryable): Promise<void> {
  // In small steps, so that no statement runs for long.
  while ((await deleteExpiredSessions(db, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
}
