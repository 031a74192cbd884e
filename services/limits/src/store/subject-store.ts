import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { prepared, sql } from "@nutrition/postgres/sql";

import { arrayLiteral } from "./array-literal.ts";
import { timestamptz } from "./microseconds.ts";

// Sorted, so that two batches with the same subjects never wait for each other in a circle. The seed
// keeps these locks apart from other services' in the same database.
const LOCK = prepared(
  "lock_subjects",
  `select pg_advisory_xact_lock(key) from (
     select distinct hashtextextended(subject, 7301) as key from unnest($1::text[]) as s (subject)
     order by key offset 0
   ) as sorted`,
);

/**
 * Waits until this transaction alone decides on the subjects. What is read of them must be read by a
 * later statement: this one's snapshot is older than the wait.
 */
export async function lockSubjects(tx: Transaction, subjects: readonly string[]): Promise<void> {
  await tx.query(LOCK(arrayLiteral(subjects)));
}

/** A subject that was used. */
export interface UsedSubject {
  subject: string;
  accountId: string;
  lastAtUs: number;
}

const UPSERT = prepared(
  "upsert_subjects",
  `insert into subjects (subject, account_id, last_at)
   select subject, account_id, ${timestamptz("last_at_us")}
   from unnest($1::text[], $2::uuid[], $3::bigint[]) as s (subject, account_id, last_at_us)
   on conflict (subject) do update set account_id = excluded.account_id, last_at = excluded.last_at`,
);

/** Notes whose the subjects are; sent along with the commit, which fails when this does. */
export function sendSubjects(tx: Transaction, used: readonly UsedSubject[]): void {
  tx.send(
    UPSERT(
      arrayLiteral(used.map(({ subject }) => subject)),
      arrayLiteral(used.map(({ accountId }) => accountId)),
      arrayLiteral(used.map(({ lastAtUs }) => lastAtUs)),
    ),
  );
}

/** The subjects that an account used lately. */
export async function listSubjectsOfAccount(
  database: Queryable,
  accountId: string,
): Promise<string[]> {
  const rows = await database.query<{ subject: string }>(
    sql`select subject from subjects where account_id = ${accountId} order by subject`,
  );
  return rows.map((row) => row.subject);
}

/** Forgets whose the subjects are. */
export async function deleteSubjects(tx: Transaction, subjects: readonly string[]): Promise<void> {
  await tx.query(sql`delete from subjects where subject = any (${subjects}::text[])`);
}

/** Forgets at most `limit` subjects without an event since `seconds` ago. Returns how many. */
export async function deleteIdleSubjects(
  database: Queryable,
  seconds: number,
  limit: number,
): Promise<number> {
  const rows = await database.query(sql`delete from subjects where subject in (
      select subject from subjects
      where last_at < clock_timestamp() - ${seconds} * interval '1 second' limit ${limit}
    ) returning 1`);
  return rows.length;
}
