import type { CivilDate } from "@nutrition/core/civil-date";
import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

/** The current UTC day of the database's clock, on which partitions are based. */
export async function getDatabaseDate(database: Queryable): Promise<CivilDate> {
  const rows = await database.query<{ today: CivilDate }>(
    sql`select (clock_timestamp() at time zone 'UTC')::date as today`,
  );
  return (rows[0] as { today: CivilDate }).today;
}

/** Locks partition maintenance for this transaction; waits for the current holder. */
export async function lockPartitions(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('limits:partitions', 0))`);
}

/** Days with a partition, oldest first. */
export async function listPartitionDays(database: Queryable): Promise<CivilDate[]> {
  const rows = await database.query<{ day: CivilDate }>(sql`
    select to_date(right(c.relname, 8), 'YYYYMMDD') as day
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usage_events'::regclass order by day`);
  return rows.map((row) => row.day);
}

/** Creates the partition of a day. */
export async function insertPartition(tx: Transaction, day: CivilDate): Promise<void> {
  await tx.query(sql`select add_usage_partition(${day})`);
}

/**
 * Drops the partition of a day with all its events. This needs a brief exclusive lock on the whole
 * log. It fails quickly when the lock is taken, because decisions would queue behind it.
 */
export async function deletePartition(tx: Transaction, day: CivilDate): Promise<void> {
  await tx.query(sql`set local lock_timeout = '500ms'`);
  await tx.query(sql`select drop_usage_partition(${day})`);
}
