import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { prepared, sql } from "@nutrition/postgres/sql";

import type { SubjectState } from "../domain/subject-ledger.ts";
import { microseconds } from "./microseconds.ts";

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
  await tx.query(LOCK(subjects));
}

interface StateRow {
  now_us: number;
  subject: string | null;
  last_at_us: number;
  counted_at_us: number;
  counters: SubjectState["counters"];
}

const READ = prepared(
  "read_subjects",
  `select ${microseconds("clock_timestamp()")} as now_us, subject,
     ${microseconds("last_at")} as last_at_us, ${microseconds("counted_at")} as counted_at_us, counters
   from (select) as always left join limit_state on subject = any ($1::text[])`,
);

/** The states that are stored of locked subjects, and the database's time. */
export async function readSubjects(
  tx: Transaction,
  subjects: readonly string[],
): Promise<{ nowUs: number; states: Map<string, SubjectState> }> {
  const rows = await tx.query<StateRow>(READ(subjects));
  const states = new Map<string, SubjectState>();
  for (const row of rows) {
    if (row.subject === null) continue;
    const { last_at_us: lastAtUs, counted_at_us: countedAtUs, counters } = row;
    states.set(row.subject, { lastAtUs, countedAtUs, counters });
  }
  return { nowUs: rows[0]?.now_us ?? 0, states };
}

/** The subjects that an account used lately. */
export async function listSubjectsOfAccount(
  database: Queryable,
  accountId: string,
): Promise<string[]> {
  const rows = await database.query<{ subject: string }>(
    sql`select subject from limit_state where account_id = ${accountId} order by subject`,
  );
  return rows.map((row) => row.subject);
}

/** Forgets what is stored of the subjects. */
export async function deleteSubjects(tx: Transaction, subjects: readonly string[]): Promise<void> {
  await tx.query(sql`delete from limit_state where subject = any (${subjects}::text[])`);
}

/** Forgets at most `limit` subjects without an event since `seconds` ago. Returns how many. */
export async function deleteIdleSubjects(
  database: Queryable,
  seconds: number,
  limit: number,
): Promise<number> {
  const rows = await database.query(sql`delete from limit_state where subject in (
      select subject from limit_state
      where last_at < clock_timestamp() - ${seconds} * interval '1 second' limit ${limit}
    ) returning 1`);
  return rows.length;
}
