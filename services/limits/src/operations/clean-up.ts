import type { Database } from "@nutrition/postgres/database";

import { deleteOldRefusals } from "../store/refusal-store.ts";
import { deleteOldReservations } from "../store/reservation-store.ts";
import { deleteIdleSubjects } from "../store/subject-store.ts";
import { maintainPartitions } from "./maintain-partitions.ts";

const DAY_SECONDS = 86_400;
const DELETED_AT_ONCE = 5_000;

/**
 * Makes room for the usage to come and forgets what is older than `retentionDays`, which must not
 * be shorter than the longest window. Any number of instances may call it at once.
 */
export async function cleanUp(database: Database, retentionDays: number): Promise<void> {
  await maintainPartitions(database, retentionDays);
  // Whatever names an event outlives it by a day, as partitions go day by day.
  const keptSeconds = (retentionDays + 2) * DAY_SECONDS;
  for (const deleteSome of [deleteOldReservations, deleteIdleSubjects]) {
    // Little by little, so that no statement runs for long.
    while ((await deleteSome(database, keptSeconds, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
  }
  await deleteOldRefusals(database, keptSeconds);
}
