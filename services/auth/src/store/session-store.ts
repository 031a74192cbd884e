import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { prepared, sql } from "@nutrition/postgres/sql";

import type { LiveSession, SessionKey } from "../domain/session.ts";

/**
 * Time after which an unused session is over. Its cookie lives 14 days from its last renewal, and
 * `last_seen_at` may be a day behind.
 */
const LAPSE_DAYS = 16;
const RECENT_MINUTES = 10;

interface SessionRow {
  is_recent: boolean;
  is_seen_today: boolean;
}

const selectSession = prepared(
  "session",
  `select
     signed_in_at > clock_timestamp() - make_interval(mins => $3) as is_recent,
     last_seen_at > clock_timestamp() - interval '1 day' as is_seen_today
   from sessions
   where id = $1 and account_id = $2
     and last_seen_at > clock_timestamp() - make_interval(days => $4)`,
);

/** Returns the session if it is live, and records at most once a day that it was seen. */
export async function findLiveSession(
  db: Queryable,
  { accountId, sessionId }: SessionKey,
): Promise<LiveSession | undefined> {
  const statement = selectSession(sessionId, accountId, RECENT_MINUTES, LAPSE_DAYS);
  const [row] = await db.query<SessionRow>(statement);
  if (row && !row.is_seen_today) {
    await db.query(sql`
      update sessions set last_seen_at = clock_timestamp()
      where id = ${sessionId} and last_seen_at <= clock_timestamp() - interval '1 day'
    `);
  }
  return row && { isRecent: row.is_recent };
}

/**
 * Returns the session if it is live; a concurrent end of it waits until the transaction is over.
 */
export async function lockLiveSessionTx(
  tx: Transaction,
  { accountId, sessionId }: SessionKey,
): Promise<LiveSession | undefined> {
  const [row] = await tx.query<Pick<SessionRow, "is_recent">>(sql`
    select signed_in_at > clock_timestamp() - make_interval(mins => ${RECENT_MINUTES}::int)
      as is_recent
    from sessions
    where id = ${sessionId} and account_id = ${accountId}
      and last_seen_at > clock_timestamp() - make_interval(days => ${LAPSE_DAYS}::int)
    for share
  `);
  return row && { isRecent: row.is_recent };
}

/** Begins a session with a sign-in at the present time. */
export async function insertSession(
  db: Queryable,
  { accountId, sessionId }: SessionKey,
): Promise<void> {
  await db.query(sql`
    insert into sessions (id, account_id, signed_in_at, last_seen_at)
    values (${sessionId}, ${accountId}, clock_timestamp(), clock_timestamp())
  `);
}

/** Ends the session. Returns whether it was live. */
export async function deleteSession(
  db: Queryable,
  { accountId, sessionId }: SessionKey,
): Promise<boolean> {
  const rows = await db.query(sql`
    delete from sessions where id = ${sessionId} and account_id = ${accountId} returning id
  `);
  return rows.length > 0;
}

/** Ends all sessions of the account except the newest `kept`. */
export async function deleteOldSessionsTx(
  tx: Transaction,
  accountId: string,
  kept: number,
): Promise<void> {
  await tx.query(sql`
    delete from sessions where id in (
      select id from sessions
      where account_id = ${accountId}
      order by signed_in_at desc, id desc
      offset ${kept}
    )
  `);
}

/** Ends all sessions of the account except one, or all for null. */
export async function deleteSessionsExcept(
  db: Queryable,
  accountId: string,
  keptId: string | null,
): Promise<void> {
  await db.query(sql`
    delete from sessions
    where account_id = ${accountId} and (${keptId}::uuid is null or id <> ${keptId}::uuid)
  `);
}

/** Continues the session under a new id. Returns whether it was live. */
export async function renameSession(
  db: Queryable,
  { accountId, sessionId }: SessionKey,
  newSessionId: string,
): Promise<boolean> {
  const rows = await db.query(sql`
    update sessions set id = ${newSessionId}
    where id = ${sessionId} and account_id = ${accountId}
    returning id
  `);
  return rows.length > 0;
}

/**
 * Deletes up to `limit` sessions that have been unused for longer than their cookies live. Returns the
 * number deleted.
 */
export async function deleteExpiredSessions(db: Queryable, limit: number): Promise<number> {
  const rows = await db.query(sql`
    delete from sessions where id = any (array(
      select id from sessions
      where last_seen_at <= now() - make_interval(days => ${LAPSE_DAYS}::int)
      order by last_seen_at limit ${limit} for update skip locked
    ))
    returning 1
  `);
  return rows.length;
}
