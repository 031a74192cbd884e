import type { Queryable } from "@nutrition/postgres/database";

import { deleteOldModelCalls } from "../store/model-call-store.ts";

/** A year, plus time to check the provider's bill. */
const MODEL_CALLS_KEPT_DAYS = 400;

const DELETED_AT_ONCE = 1_000;

/** Deletes old records of the costs of model calls. Instances may run it concurrently. */
export async function cleanUp(database: Queryable): Promise<void> {
  const old = { days: MODEL_CALLS_KEPT_DAYS, limit: DELETED_AT_ONCE };
  // In batches, so that no statement runs long.
  while ((await deleteOldModelCalls(database, old)) === DELETED_AT_ONCE);
}
