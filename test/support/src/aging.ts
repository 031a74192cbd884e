import type { CivilDate } from "@nutrition/core/civil-date";
import { addDays } from "@nutrition/core/civil-date";
import type { Database } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

import {
  getDatabaseDate,
  insertPartition,
  listPartitionDays,
  lockPartitions,
} from "@nutrition/limits/store/partition-store";

/**
 * Makes everything stored about a subject `seconds` older, as if that time had passed. What
 * instances hold in memory does not age: where several decide, restart them.
 */
export async function ageSubject(
  database: Database,
  subject: string,
  seconds: number,
): Promise<void> {
  await ensurePartitions(database, subject, seconds);
  await database.transaction(async (tx) => {
    const age = `${seconds} seconds`;
    // A reservation being settled names its event by its time, which must not change meanwhile.
    await tx.query(sql`lock table reservations, usage_events in share row exclusive mode`);
    await tx.query(
      sql`update usage_events set at = at - ${age}::interval where subject = ${subject}`,
    );
    await tx.query(sql`update reservations
      set at = at - ${age}::interval, expires_at = expires_at - ${age}::interval
      where subject = ${subject}`);
    await tx.query(
      sql`update subjects set last_at = last_at - ${age}::interval where subject = ${subject}`,
    );
  });
}

/** Adds the partitions for the aged events; a running service would have them. */
async function ensurePartitions(
  database: Database,
  subject: string,
  seconds: number,
): Promise<void> {
  const [first] = await database.query<{ day: CivilDate | null }>(sql`
    select ((min(at) - ${`${seconds} seconds`}::interval) at time zone 'UTC')::date as day
    from usage_events where subject = ${subject}`);
  const today = await getDatabaseDate(database);
  await database.transaction(async (tx) => {
    await lockPartitions(tx);
    const existing = await listPartitionDays(tx);
    for (let day = first?.day ?? today; day < today; day = addDays(day, 1)) {
      if (!existing.includes(day)) await insertPartition(tx, day);
    }
  });
}
