import type { Queryable, Transaction } from "@nutrition/postgres/database";
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
export async function scheduleErasureTx(
  tx: Transaction,
  accountId: string,
): Promise<{ eraseAt: Date; isNew: boolean }> {
  const rows = await tx.query<{ erase_at: Date; is_new: boolean }>(sql`
    with at as (select clock_timestamp() + make_interval(days => ${WAITING_DAYS}) as moment)
    insert into erasures (account_id, erase_at, due_at)
    select ${accountId}, moment, moment from at
    on conflict (account_id) do update set erase_at = erasures.erase_at
    returning erase_at, erase_at = (select moment from at) as is_new
  `);
  const { erase_at: eraseAt, is_new: isNew } = rows[0]!;
  return { eraseAt, isNew };
}

/**
 * Begins an erasure that does not wait, if anybody signed in to the account. Returns the person at
 * the identity provider of an erasure that has begun, which may be an earlier one; null for none.
 */
export async function beginErasureTx(tx: Transaction, accountId: string): Promise<string | null> {
  await tx.query(sql`
    insert into erasures (account_id, erase_at, begun_at, subject, due_at)
    select account_id, moment, moment, subject, moment
    from identities, clock_timestamp() as moment
    where account_id = ${accountId}
    on conflict (account_id) do update set
      begun_at = coalesce(erasures.begun_at, excluded.begun_at),
      subject = coalesce(erasures.subject, excluded.subject),
      due_at = case when erasures.begun_at is null then excluded.due_at else erasures.due_at end
  `);
  const [erasure] = await tx.query<{ subject: string | null }>(sql`
    select subject from erasures where account_id = ${accountId} and begun_at is not null
  `);
  return erasure?.subject ?? null;
}

/** When the erasure begins; undefined when none is scheduled. */
export async function findErasure(db: Queryable, accountId: string): Promise<Date | undefined> {
  const rows = await db.query<{ erase_at: Date }>(sql`
    select erase_at from erasures where account_id = ${accountId}
  `);
  return rows[0]?.erase_at;
}

/** Removes an erasure that has not begun. Returns whether there was one. */
export async function cancelErasureTx(tx: Transaction, accountId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from erasures where account_id = ${accountId} and begun_at is null
    returning account_id
  `);
  return rows.length > 0;
}

/**
 * Leases up to `max` due erasures, or the one of an account if it is due; they begin with that. Each
 * goes to one caller.
 */
export async function takeErasures(
  db: Queryable,
  max: number,
  accountId: string | null,
): Promise<DueErasure[]> {
  const rows = await db.query<{ account_id: string; subject: string | null }>(sql`
    with due as materialized (
      select account_id from erasures
      where due_at <= clock_timestamp()
        and (${accountId}::uuid is null or account_id = ${accountId}::uuid)
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

/**
 * Deletes the account, with all that belongs to it, if its erasure has begun. Returns its address;
 * null when it had none or is gone already.
 */
export async function deleteTakenAccountTx(
  tx: Transaction,
  accountId: string,
): Promise<string | null> {
  const rows = await tx.query<{ email: string | null }>(sql`
    delete from accounts where id = (
      select account_id from erasures where account_id = ${accountId} and begun_at is not null
    )
    returning email
  `);
  return rows[0]?.email ?? null;
}

/** Forgets an erasure whose account is gone. */
export async function deleteFinishedErasure(db: Queryable, accountId: string): Promise<void> {
  await db.query(sql`
    delete from erasures
    where account_id = ${accountId} and begun_at is not null
      and not exists (select from accounts where id = ${accountId})
  `);
}
