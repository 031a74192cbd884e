import type { Queryable } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

/**
 * Returns the ids that the account has already imported from the source, including deleted items.
 */
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
