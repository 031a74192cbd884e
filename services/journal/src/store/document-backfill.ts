import type { Queryable } from "@nutrition/postgres/database";
import { preparedSql } from "@nutrition/postgres/sql";

/**
 * Fills in the missing documents of the next `limit` days, newest first. Returns the number of days examined:
 * 0 when the backfill is complete or another instance is working on it.
 */
export async function backfillDocuments(db: Queryable, limit: number): Promise<number> {
  // Setting an empty document to null again makes the commit fill it (entries_fill_kept_document). Days that a
  // write has locked are skipped: its own commit fills them.
  const [row] = await db.query<{ days: number }>(preparedSql("backfill_documents")`
    with progress as materialized (
      select before_id from document_backfill for update skip locked
    ), days as materialized (
      select id from entries where id < (select before_id from progress) order by id desc limit ${limit}
    ), missing as materialized (
      select id from entries
      where id = any(array(select id from days)) and kept_document is null and deleted_at is null
      for no key update skip locked
    ), cleared as (
      update entries set kept_document = null where id = any(array(select id from missing))
    ), moved as (
      update document_backfill set before_id = (select id from days order by id limit 1)
      where exists (select from days)
    ), completed as (
      delete from document_backfill
      where exists (select from progress) and not exists (select from days)
    )
    select count(*)::int as days from days`);
  return (row as { days: number }).days;
}
