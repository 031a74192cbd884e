import type { Queryable } from "@nutrition/postgres/database";
import { preparedSql, sql } from "@nutrition/postgres/sql";

/**
 * Transactions before the cursor that each page reads again: after a crash, PostgreSQL may reuse the ids that it
 * assigned in the last fraction of a second.
 */
const OVERLAP = 10_000n;
const CURSOR = /^([\d.]{1,30}):(\d{1,20}):([\da-f]{12}):(\d{1,20}):(all|new)$/;
const TAIL_BYTES = 6;
/** Sorts before all tails; that of a key is practically never zero. */
const NO_TAIL = "000000000000";

/** What a reader of the changed keys has not read. */
interface Cursor {
  /** Identifies the running PostgreSQL: another one may number its transactions differently. */
  server: string;
  /** The last row read: its transaction and its key's tail in hexadecimal. */
  xid: string;
  tail: string;
  /** The transaction to start from once all pages are read. */
  nextXid: string;
  /** Whether it began with the first row. */
  isAll: boolean;
}

const START: Cursor = { server: "", xid: "0", tail: NO_TAIL, nextXid: "0", isAll: true };

/** A page of changed keys. */
export interface ChangedKeys {
  /** The last 6 bytes of each key's UUID. */
  keyTails: Buffer;
  /** Continues with what this page and those before it do not contain. */
  cursor: string;
  /** Whether there are more pages. */
  hasMore: boolean;
}

interface PageRow {
  key_tails: Buffer;
  last_xid: string | null;
  last_tail: string | null;
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
      select xid, key_tail from changed_keys
      where (xid, key_tail) > (
          case when ${cursor.server} = (select name from server) then ${cursor.xid}::text::xid8 else '0' end,
          case when ${cursor.server} = (select name from server) then decode(${cursor.tail}, 'hex')
            else ''::bytea end
        )
        -- Rows of a restored backup may name transactions that are yet to come.
        and (
          xid < pg_snapshot_xmax(pg_current_snapshot())
          or ${cursor.isAll} or ${cursor.server} <> (select name from server)
        )
      order by xid, key_tail
      limit ${limit}
    )
    select
      coalesce((select string_agg(key_tail, ''::bytea order by xid, key_tail) from page), '')
        as key_tails,
      (select xid::text from page order by xid desc limit 1) as last_xid,
      (select encode(key_tail, 'hex') from page order by xid desc, key_tail desc limit 1) as last_tail,
      pg_snapshot_xmin(pg_current_snapshot())::text as oldest_xid,
      server.name as server, ${cursor.server} = server.name as is_continued
    from server
  `);
  return pageOf(row!, row!.is_continued ? cursor : START, limit);
}

function pageOf(row: PageRow, from: Cursor, limit: number): ChangedKeys {
  const { key_tails: keyTails, server, last_xid: xid, last_tail: tail } = row;
  const isFirstPage = from.nextXid === "0";
  const nextXid = isFirstPage ? startBefore(row.oldest_xid) : from.nextXid;
  const hasMore = keyTails.length / TAIL_BYTES === limit && xid !== null && tail !== null;
  const cursor = hasMore
    ? { ...from, server, xid, tail, nextXid }
    : { server, xid: nextXid, tail: NO_TAIL, nextXid: "0", isAll: false };
  return { keyTails, cursor: cursorTextOf(cursor), hasMore };
}

/** Never 0, which stands for "not known yet". */
function startBefore(oldestXid: string): string {
  const xid = BigInt(oldestXid) - OVERLAP;
  return String(xid > 1n ? xid : 1n);
}

function cursorTextOf({ server, xid, tail, nextXid, isAll }: Cursor): string {
  return [server, xid, tail, nextXid, isAll ? "all" : "new"].join(":");
}

function parseCursor(text: string): Cursor {
  const [, server, xid, tail, nextXid, range] = CURSOR.exec(text) ?? [];
  if (!server || !xid || !tail || !nextXid) return START;
  return { server, xid, tail, nextXid, isAll: range === "all" };
}

/** Deletes up to `limit` keys whose texts expired at least a day ago. Returns the number deleted. */
export async function deleteExpiredChangedKeys(db: Queryable, limit: number): Promise<number> {
  const rows = await db.query(sql`
    delete from changed_keys where key_tail = any (array(
      select key_tail from changed_keys
      where text_expires_at <= now() - interval '1 day'
      order by text_expires_at limit ${limit} for update skip locked
    ))
    returning 1
  `);
  return rows.length;
}
