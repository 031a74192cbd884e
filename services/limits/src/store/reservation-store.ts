import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { prepared, sql } from "@nutrition/postgres/sql";

import { timestamptz } from "./microseconds.ts";

/** Outcome of a reservation: committed, released, or released and counted as a failed analysis. */
export type Settlement = "committed" | "released" | "failed";

export type ReservationState = "reserved" | "committed" | "released";

/** State of a settled reservation and of its event. */
export function stateAfter(settlement: Settlement): ReservationState {
  return settlement === "failed" ? "released" : settlement;
}

/** Units reserved by an event of the log. */
export interface NewReservation {
  id: string;
  subject: string;
  atUs: number;
}

const INSERT = prepared(
  "insert_reservations",
  `insert into reservations (id, subject, at, expires_at)
   select id, subject, at, at + $4::bigint * interval '1 millisecond'
   from (
     select id, subject, ${timestamptz("at_us")} as at
     from unnest($1::uuid[], $2::text[], $3::bigint[]) as r (id, subject, at_us)
   ) as r`,
);

/**
 * Inserts a reservation that expires after `holdMs`; pipelined with the commit, which fails if this
 * fails.
 */
export function sendReservations(
  tx: Transaction,
  held: readonly NewReservation[],
  holdMs: number,
): void {
  const ids = held.map(({ id }) => id);
  const subjects = held.map(({ subject }) => subject);
  tx.send(
    INSERT(
      ids,
      subjects,
      held.map(({ atUs }) => atUs),
      holdMs,
    ),
  );
}

/** Settles an open reservation and its event. Returns whether it was open. */
export async function updateOpenReservation(
  database: Queryable,
  id: string,
  settlement: Settlement,
): Promise<boolean> {
  const state = stateAfter(settlement);
  const rows = await database.query(sql`with settled as (
      update reservations set state = ${state}
      where id = ${id} and state = 'reserved' returning subject, at
    ), event as (
      update usage_events e set state = ${state}, analysis_failed = ${settlement === "failed"}
      from settled where e.subject = settled.subject and e.at = settled.at
    )
    select from settled`);
  return rows.length > 0;
}

/** Counts a released reservation as a failed analysis; calling it again has no effect. */
export async function failReleasedReservation(database: Queryable, id: string): Promise<void> {
  await database.query(sql`with event as (
      update usage_events e set analysis_failed = true
      from reservations r where r.id = ${id} and r.state = 'released'
        and e.subject = r.subject and e.at = r.at and not e.analysis_failed
      returning e.subject
    )
    update subjects set revision = revision + 1, account_revision = account_revision + 1
    where subject in (select subject from event)`);
}

export async function findReservationState(
  database: Queryable,
  id: string,
): Promise<ReservationState | undefined> {
  const rows = await database.query<{ state: ReservationState }>(
    sql`select state from reservations where id = ${id}`,
  );
  return rows[0]?.state;
}

/** Number of unsettled reservations, and of those that expired more than a minute ago. */
export async function countOpenReservations(
  database: Queryable,
): Promise<{ open: number; overdue: number }> {
  const [counted] = await database.query<{ open: number; overdue: number }>(sql`
    select count(*) as open,
      count(*) filter (where expires_at < clock_timestamp() - interval '1 minute') as overdue
    from reservations where state = 'reserved'`);
  return counted ?? { open: 0, overdue: 0 };
}

/**
 * Leases expired reservations, oldest first, to one instance for `claimMs`; other instances skip
 * them.
 */
export async function claimExpiredReservations(
  database: Queryable,
  limit: number,
  claimMs: number,
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    update reservations set claimed_until = clock_timestamp() + ${claimMs} * interval '1 millisecond'
    where id in (
      select id from reservations
      where state = 'reserved' and expires_at < clock_timestamp()
        and (claimed_until is null or claimed_until < clock_timestamp())
      order by expires_at limit ${limit} for update skip locked
    )
    returning id`);
  return rows.map((row) => row.id);
}

/**
 * Deletes up to `limit` reservations that were settled and expired more than `seconds` ago. Returns
 * the number deleted.
 */
export async function deleteOldReservations(
  database: Queryable,
  seconds: number,
  limit: number,
): Promise<number> {
  const rows = await database.query(sql`delete from reservations where id = any (array(
      select id from reservations where state <> 'reserved'
        and expires_at < now() - ${seconds} * interval '1 second'
      order by expires_at limit ${limit}
    )) returning 1`);
  return rows.length;
}
