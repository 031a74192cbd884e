import type { Queryable } from "@nutrition/postgres/database";
import { preparedSql, sql } from "@nutrition/postgres/sql";

/**
 * Numbers of transactions that are read again. After a crash, PostgreSQL may reuse those of the last fraction
 * of a second.
 */
const OVERLAP = 10_000n;
const CURSOR = /^([\d.]{1,30}):(\d{1,20}):([\da-f-]{36}):(\d{1,20}):(all|new)$/;
const NO_KEY = "00000000-0000-0000-0000-000000000000";

/** What a reader of the changed keys has not read. */
interface Cursor {
  /** Identifies the running PostgreSQL: another one may number its transactions differently. */
  server: string;
  /** The last row read: its transaction and its key. */
  xid: string;
  keyId: string;
  /** The transaction to start from once all pages are read. */
  nextXid: string;
  /** Whether it began with the first row. */
  isAll: boolean;
}

const START: Cursor = { server: "", xid: "0", keyId: NO_KEY, nextXid: "0", isAll: true };

/** A page of changed keys. */
export interface ChangedKeys {
  /** UUIDs as 16 bytes each. */
  keyIds: Buffer;
  /** Continues with what this page and those before it do not contain. */
  cursor: string;
  /** Whether more can be read at once. */
  hasMore: boolean;
}

interface PageRow {
  key_ids: Buffer;
  last_xid: string | null;
  last_key_id: string | null;
  oldest_xid: string;
  server: string;
  is_continued: boolean;
}

const pageSql = preparedSql("changed_keys");

/**
 * Reads up to `limit` signed keys that have changed, from the beginning for an unknown cursor. Rows of
 * transactions that are still running are read after their commit; some rows are read repeatedly.
 */
export async function listChangedKeys(
  db: Queryable,
  cursorText: string,
  limit: number,
): Promise<ChangedKeys> {
  const cursor = parseCursor(cursorText);
  const [row] = await db.query<PageRow>(pageSql`
    with server as materialized (
      select extract(epoch from pg_postmaster_start_time())::text as name
    ), page as materialized (
      select xid, key_id from changed_keys
      where (xid, key_id) > (
          case when ${cursor.server} = (select name from server) then ${cursor.xid}::text::xid8 else '0' end,
          case when ${cursor.server} = (select name from server) then ${cursor.keyId}::uuid
            else ${NO_KEY}::uuid end
        )
        -- Rows of a restored backup may name transactions that are yet to come.
        and (
          xid < pg_snapshot_xmax(pg_current_snapshot())
          or ${cursor.isAll} or ${cursor.server} <> (select name from server)
        )
      order by xid, key_id
      limit ${limit}
    )
    select
      coalesce((select string_agg(uuid_send(key_id), ''::bytea order by xid, key_id) from page), '')
        as key_ids,
      (select xid::text from page order by xid desc limit 1) as last_xid,
      (select key_id from page order by xid desc, key_id desc limit 1) as last_key_id,
      pg_snapshot_xmin(pg_current_snapshot())::text as oldest_xid,
      server.name as server, ${cursor.server} = server.name as is_continued
    from server
  `);
  return pageOf(row!, row!.is_continued ? cursor : START, limit);
}

function pageOf(row: PageRow, from: Cursor, limit: number): ChangedKeys {
  const { key_ids: keyIds, server, last_xid: xid, last_key_id: keyId } = row;
  const isFirstPage = from.nextXid === "0";
  const nextXid = isFirstPage ? startBefore(row.oldest_xid) : from.nextXid;
  const hasMore = keyIds.length / 16 === limit && xid !== null && keyId !== null;
  const cursor = hasMore
    ? { ...from, server, xid, keyId, nextXid }
    : { server, xid: nextXid, keyId: NO_KEY, nextXid: "0", isAll: false };
  return { keyIds, cursor: cursorTextOf(cursor), hasMore };
}

/** Never 0, which stands for "not known yet". */
function startBefore(oldestXid: string): string {
  const xid = BigInt(oldestXid) - OVERLAP;
  return String(xid > 1n ? xid : 1n);
}

function cursorTextOf({ server, xid, keyId, nextXid, isAll }: Cursor): string {
  return [server, xid, keyId, nextXid, isAll ? "all" : "new"].join(":");
}

function parseCursor(text: string): Cursor {
  const [, server, xid, keyId, nextXid, range] = CURSOR.exec(text) ?? [];
  if (!server || !xid || !keyId || !nextXid) return START;
  return { server, xid, keyId, nextXid, isAll: range === "all" };
}

/** Deletes up to `limit` keys whose texts have expired for long. Returns the number deleted. */
export async function deleteExpiredChangedKeys(db: Queryable, limit: number): Promise<number> {
  const rows = await db.query(sql`
    delete from changed_keys where key_id = any (array(
      select key_id from changed_keys
      where text_expires_at <= now() - interval '1 day'
      order by text_expires_at limit ${limit} for update skip locked
    ))
    returning 1
  `);
  return rows.length;
}
