import type { Queryable } from "@nutrition/postgres/database";
import { preparedSql } from "@nutrition/postgres/sql";

/**
 * Has the documents made of those of the next `limit` days, newest first, that were last written before days
 * kept one. Returns how many days were looked at; none are left when it is 0. Instances may run it
 * concurrently: all but one do nothing.
 */
export async function keepOlderDays(db: Queryable, limit: number): Promise<number> {
  // A row locked by a write is skipped, because the write's commit has its document made. Emptying what
  // is empty does the same for the others, under the same lock.
  const [row] = await db.query<{ days: number }>(preparedSql("keep_older_days")`
    with progress as materialized (
      select before_id from keeping_progress for update skip locked
    ), days as materialized (
      select id from entries where id < (select before_id from progress) order by id desc limit ${limit}
    ), missing as materialized (
      select id from entries
      where id = any(array(select id from days)) and kept_document is null and deleted_at is null
      for no key update skip locked
    ), emptied as (
      update entries set kept_document = null where id = any(array(select id from missing))
    ), moved as (
      update keeping_progress set before_id = (select id from days order by id limit 1)
      where exists (select from days)
    )
    select count(*)::int as days from days`);
  return (row as { days: number }).days;
}
