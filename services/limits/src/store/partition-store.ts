import type { CivilDate } from "@nutrition/core/civil-date";
import { addDays } from "@nutrition/core/civil-date";
import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

/** The current day of the database in UTC, which the partitions are cut by. */
export async function getDatabaseDate(database: Queryable): Promise<CivilDate> {
  const rows = await database.query<{ today: CivilDate }>(
    sql`select (clock_timestamp() at time zone 'UTC')::date as today`,
  );
  return (rows[0] as { today: CivilDate }).today;
}

/** Makes this transaction the only one that changes partitions; waits for another to end. */
export async function lockPartitions(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('limits:partitions', 0))`);
}

/** The days that have a partition, oldest first. */
export async function listPartitionDays(database: Queryable): Promise<CivilDate[]> {
  const rows = await database.query<{ day: CivilDate }>(sql`
    select to_date(right(c.relname, 8), 'YYYYMMDD') as day
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usage_events'::regclass order by day`);
  return rows.map((row) => row.day);
}

/**
 * Adds the partition of a day. The table is made first and attached then: that waits for no one who
 * reads or writes other days, which `create table … partition of` does.
 */
export async function insertPartition(tx: Transaction, day: CivilDate): Promise<void> {
  const name = partitionName(day);
  const text = `create table ${name} (like usage_events including constraints including indexes);
    alter table usage_events attach partition ${name}
      for values from ('${day}T00:00:00Z') to ('${addDays(day, 1)}T00:00:00Z')`;
  await tx.query({ text, values: [] });
}

/**
 * Drops the partition of a day with all its events. It needs the whole log to itself for an
 * instant and gives up when it cannot have it soon, as decisions would wait behind it.
 */
export async function deletePartition(tx: Transaction, day: CivilDate): Promise<void> {
  const text = `set local lock_timeout = '500ms'; drop table ${partitionName(day)}`;
  await tx.query({ text, values: [] });
}

/** `day` comes from a date column or `addDays`, so it is safe in a statement. */
function partitionName(day: CivilDate): string {
  return `usage_events_${day.replaceAll("-", "")}`;
}
