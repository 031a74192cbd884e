import type { Database } from "@nutrition/postgres/database";

import { deleteOldDenials } from "../store/refusal-store.ts";
import { deleteOldReservations } from "../store/reservation-store.ts";
import { deleteIdleSubjects } from "../store/subject-store.ts";
import { maintainPartitions } from "./maintain-partitions.ts";

const DAY_SECONDS = 86_400;
const DELETED_AT_ONCE = 5_000;

/**
 * Creates upcoming partitions and deletes usage older than `retentionDays`, which must not be
 * shorter than the longest window. Instances may run it concurrently.
 */
export async function cleanUp(database: Database, retentionDays: number): Promise<void> {
  await maintainPartitions(database, retentionDays);
  // References outlive their event by a day, because partitions cover whole days.
  const keptSeconds = (retentionDays + 2) * DAY_SECONDS;
  for (const deleteSome of [deleteOldReservations, deleteIdleSubjects]) {
    // In small steps, so that no statement runs for long.
    while ((await deleteSome(database, keptSeconds, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
  }
  await deleteOldDenials(database, keptSeconds);
}
