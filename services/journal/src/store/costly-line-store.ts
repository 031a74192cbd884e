import type { Queryable } from "@nutrition/postgres/database";
import { preparedSql, sql } from "@nutrition/postgres/sql";

/** Remembers the account's lines by their hashes for `keepMs`, again if they are known already. */
export async function insertCostlyLines(
  db: Queryable,
  accountId: string,
  { hashes, keepMs }: { hashes: readonly Buffer[]; keepMs: number },
): Promise<void> {
  await db.query(sql`
    insert into costly_lines (account_id, hash, expires_at)
    select ${accountId}::uuid, hash, now() + ${keepMs} * interval '1 millisecond'
    from unnest(${hashes}::bytea[]) hash
    order by hash
    on conflict (account_id, hash) do update set expires_at = excluded.expires_at`);
}

/** Index of the first of the hashes that is remembered; undefined if none is. */
export async function findCostlyLine(
  db: Queryable,
  accountId: string,
  hashes: readonly Buffer[],
): Promise<number | undefined> {
  const [row] = await db.query<{ hash: Buffer }>(preparedSql("find_costly_line")`
    select hash from costly_lines
    where account_id = ${accountId} and hash = any(${hashes}::bytea[]) and expires_at > now()
    order by array_position(${hashes}::bytea[], hash) limit 1`);
  return row && hashes.findIndex((hash) => hash.equals(row.hash));
}

/** Deletes up to `limit` lines whose time has ended. Returns the number deleted. */
export async function deleteExpiredCostlyLines(db: Queryable, limit: number): Promise<number> {
  const rows = await db.query(sql`
    delete from costly_lines where ctid = any (array(
      select ctid from costly_lines where expires_at <= now()
      order by expires_at limit ${limit} for update skip locked
    ))
    returning 1`);
  return rows.length;
}
