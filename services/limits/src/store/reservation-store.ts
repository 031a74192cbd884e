import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { prepared, sql } from "@nutrition/postgres/sql";

import { timestamptz } from "./microseconds.ts";

/** What becomes of a reservation: usage for good, or room given back. */
export type Settlement = "committed" | "released";

export type ReservationState = Settlement | "reserved";

/** Room held by an event of the log. */
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

/** Holds room for `holdMs`; sent along with the commit, which fails when this does. */
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

/** Settles a reservation and its event, if that is still open. Returns whether it was. */
export async function updateOpenReservation(
  database: Queryable,
  id: string,
  settlement: Settlement,
): Promise<boolean> {
  const rows = await database.query(sql`with settled as (
      update reservations set state = ${settlement}
      where id = ${id} and state = 'reserved' returning subject, at
    ), event as (
      update usage_events e set state = ${settlement}
      from settled where e.subject = settled.subject and e.at = settled.at
    )
    select from settled`);
  return rows.length > 0;
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

/**
 * Takes expired reservations, oldest first, for one instance to settle; the others leave them alone
 * for `claimMs`.
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
 * Forgets at most `limit` reservations that were settled and expired more than `seconds` ago.
 * Returns how many.
 */
export async function deleteOldReservations(
  database: Queryable,
  seconds: number,
  limit: number,
): Promise<number> {
  const rows = await database.query(sql`delete from reservations where id in (
      select id from reservations where state <> 'reserved'
        and expires_at < clock_timestamp() - ${seconds} * interval '1 second' limit ${limit}
    ) returning 1`);
  return rows.length;
}
