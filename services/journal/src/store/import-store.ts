import type { Queryable } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

/** Those of the ids that the account has imported from the source before, deleted items included. */
export async function listImportedIds(
  db: Queryable,
  accountId: string,
  { source, externalIds }: { source: string; externalIds: readonly string[] },
): Promise<Set<string>> {
  const rows = await db.query<{ external_id: string }>(sql`
    select external_id from items
    where account_id = ${accountId} and import_source = ${source}
      and external_id = any(${externalIds}::text[])`);
  return new Set(rows.map((row) => row.external_id));
}

/** Live lines of a day. */
export async function countLiveItems(
  db: Queryable,
  accountId: string,
  date: string,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from entries e join items i on i.entry_id = e.id
    where e.account_id = ${accountId} and e.date = ${date} and e.deleted_at is null
      and i.line_index is not null`);
  return (row as { count: number }).count;
}
