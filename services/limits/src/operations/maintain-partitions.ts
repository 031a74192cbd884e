import type { CivilDate } from "@nutrition/core/civil-date";
import { addDays } from "@nutrition/core/civil-date";
import type { Database } from "@nutrition/postgres/database";

import {
  deletePartition,
  getDatabaseDate,
  insertPartition,
  listPartitionDays,
  lockPartitions,
} from "../store/partition-store.ts";

/** Partitions created ahead, so that logging continues for a week if creating them fails. */
const DAYS_AHEAD = 7;

/**
 * Maintains the log's partitions: creates those from yesterday to a week ahead and drops those
 * whose events are all older than `retentionDays`. Instances may run it concurrently.
 */
export async function maintainPartitions(database: Database, retentionDays: number): Promise<void> {
  const today = await getDatabaseDate(database);
  await addPartitions(database, today);
  // An event counts until its window ends, so a day's partition is kept for that long after the
  // day.
  const oldestKept = addDays(today, -(retentionDays + 1));
  const days = await listPartitionDays(database);
  for (const day of days.filter((day) => day < oldestKept)) await dropPartition(database, day);
}

async function addPartitions(database: Database, today: CivilDate): Promise<void> {
  const requiredDays = Array.from({ length: DAYS_AHEAD + 2 }, (_, index) =>
    addDays(today, index - 1),
  );
  const existing = await listPartitionDays(database);
  if (requiredDays.every((day) => existing.includes(day))) return;
  await database.transaction(async (tx) => {
    await lockPartitions(tx);
    const days = await listPartitionDays(tx);
    for (const day of requiredDays) if (!days.includes(day)) await insertPartition(tx, day);
  });
}

async function dropPartition(database: Database, day: CivilDate): Promise<void> {
  await database.transaction(async (tx) => {
    await lockPartitions(tx);
    const days = await listPartitionDays(tx);
    if (days.includes(day)) await deletePartition(tx, day);
  });
}
