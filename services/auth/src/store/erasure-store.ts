import type { Queryable } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

/** Time in which a person can change their mind. */
const WAITING_DAYS = 7;
/** Longer than all steps of an erasure take. */
const LEASE_SECONDS = 300;

/** An account to erase everywhere. */
export interface DueErasure {
  accountId: string;
  /** The person at the identity provider; null when nobody ever signed in to the account. */
  subject: string | null;
}

/** Schedules the erasure unless it is scheduled already. Returns when it begins. */
export async function scheduleErasure(db: Queryable, accountId: string): Promise<Date> {
  const rows = await db.query<{ erase_at: Date }>(sql`
    with at as (select clock_timestamp() + make_interval(days => ${WAITING_DAYS}) as moment)
    insert into erasures (account_id, erase_at, due_at)
    select ${accountId}, moment, moment from at
    on conflict (account_id) do update set erase_at = erasures.erase_at
    returning erase_at
  `);
  return rows[0]!.erase_at;
}

/** When the erasure begins; undefined when none is scheduled. */
export async function findErasure(db: Queryable, accountId: string): Promise<Date | undefined> {
  const rows = await db.query<{ erase_at: Date }>(sql`
    select erase_at from erasures where account_id = ${accountId}
  `);
  return rows[0]?.erase_at;
}

/** Removes an erasure that has not begun. */
export async function cancelErasure(db: Queryable, accountId: string): Promise<void> {
  await db.query(sql`
    delete from erasures where account_id = ${accountId} and begun_at is null
  `);
}

/** Leases up to `max` due erasures, which begin with that. Each goes to one caller. */
export async function takeErasures(db: Queryable, max: number): Promise<DueErasure[]> {
  const rows = await db.query<{ account_id: string; subject: string | null }>(sql`
    with due as materialized (
      select account_id from erasures
      where due_at <= clock_timestamp()
      order by due_at
      limit ${max}
      for update skip locked
    )
    update erasures taken set
      begun_at = coalesce(begun_at, clock_timestamp()),
      subject = coalesce(taken.subject, (
        select identities.subject from identities where identities.account_id = due.account_id
      )),
      due_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    from due
    where taken.account_id = due.account_id
    returning taken.account_id, taken.subject
  `);
  return rows.map((row) => ({ accountId: row.account_id, subject: row.subject }));
}

/** Deletes the account, with all that belongs to it, if its erasure has begun. */
export async function deleteTakenAccount(db: Queryable, accountId: string): Promise<void> {
  await db.query(sql`
    delete from accounts where id = (
      select account_id from erasures where account_id = ${accountId} and begun_at is not null
    )
  `);
}

/** Forgets an erasure whose account is gone. */
export async function deleteFinishedErasure(db: Queryable, accountId: string): Promise<void> {
  await db.query(sql`
    delete from erasures
    where account_id = ${accountId} and begun_at is not null
      and not exists (select from accounts where id = ${accountId})
  `);
}
