import type { Queryable } from "@nutrition/postgres/database";

import { deleteOldModelCalls } from "../store/model-call-store.ts";

/** A year, and time to compare a bill with it. */
const MODEL_CALLS_KEPT_DAYS = 400;

const DELETED_AT_ONCE = 1_000;

/** Deletes old records of what calls of the model cost. Instances may run it concurrently. */
export async function cleanUp(database: Queryable): Promise<void> {
  const old = { days: MODEL_CALLS_KEPT_DAYS, limit: DELETED_AT_ONCE };
  // In small steps, so that no statement runs for long.
  while ((await deleteOldModelCalls(database, old)) === DELETED_AT_ONCE);
}
