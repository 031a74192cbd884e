import { arrayLiteral } from "@nutrition/postgres/array-literal";
import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { prepared, sql } from "@nutrition/postgres/sql";

import { timestamptz } from "./microseconds.ts";

// Sorted, so that two batches with the same accounts cannot deadlock. The seed separates these
// locks from those of other services in the same database.
const LOCK = prepared(
  "lock_accounts",
  `select pg_advisory_xact_lock(key) from (
     select distinct hashtextextended('account:' || id, 7301) as key from unnest($1::uuid[]) as a (id)
     order by key offset 0
   ) as sorted`,
);

/**
 * Locks the logs of accounts for this transaction. Events must be read in a later statement, because
 * this one's snapshot is from before the wait.
 */
export async function lockAccounts(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  await tx.query(LOCK(arrayLiteral(accountIds)));
}

/** A used subject. */
export interface UsedSubject {
  subject: string;
  accountId: string;
  lastAtUs: number;
}

const UPSERT = prepared(
  "upsert_subjects",
  `with used as (
     select subject, account_id, ${timestamptz("last_at_us")} as last_at
     from unnest($1::text[], $2::uuid[], $3::bigint[]) as s (subject, account_id, last_at_us)
   )
   insert into subjects (subject, account_id, last_at)
   select subject, account_id, last_at from used where not starts_with(subject, 'account:')
   union all
   select 'account:' || account_id, account_id, max(last_at) from used group by account_id
   on conflict (subject) do update set account_id = excluded.account_id, last_at = excluded.last_at,
     account_revision = subjects.account_revision + 1`,
);

/**
 * Records the owners of subjects, each passed once. Raises the revision of their accounts, which
 * must be locked, because their subjects changed. Pipelined with the commit, which fails if this
 * fails.
 */
export function sendSubjects(tx: Transaction, used: readonly UsedSubject[]): void {
  tx.send(
    UPSERT(
      arrayLiteral(used.map(({ subject }) => subject)),
      arrayLiteral(used.map(({ accountId }) => accountId)),
      arrayLiteral(used.map(({ lastAtUs }) => lastAtUs)),
    ),
  );
}

/** The subjects that an account used recently. */
export async function listSubjectsOfAccount(
  database: Queryable,
  accountId: string,
): Promise<string[]> {
  const rows = await database.query<{ subject: string }>(
    sql`select subject from subjects where account_id = ${accountId} order by subject`,
  );
  return rows.map((row) => row.subject);
}

/**
 * Makes every instance read the logs of these subjects again before its next decision. Their accounts
 * must be locked.
 */
export async function raiseRevisions(tx: Transaction, subjects: readonly string[]): Promise<void> {
  await tx.query(sql`with raised as (
      update subjects set revision = revision + 1 where subject = any (${subjects}::text[])
        and not starts_with(subject, 'account:')
      returning account_id
    )
    update subjects set account_revision = account_revision + 1
    where subject in (select 'account:' || account_id from raised)`);
}

/** Deletes the owners of the subjects. */
export async function deleteSubjects(tx: Transaction, subjects: readonly string[]): Promise<void> {
  await tx.query(sql`delete from subjects where subject = any (${subjects}::text[])`);
}

/** Deletes up to `limit` subjects without an event for `seconds`. Returns the number deleted. */
export async function deleteIdleSubjects(
  database: Queryable,
  seconds: number,
  limit: number,
): Promise<number> {
  const rows = await database.query(sql`delete from subjects where subject = any (array(
      select subject from subjects
      where last_at < now() - ${seconds} * interval '1 second'
      order by last_at limit ${limit} for update skip locked
    )) returning 1`);
  return rows.length;
}
