import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

/** Whether what a reservation was made for was used, by a write or by what it cost, or never can be. */
export type ReservationOutcome = "used" | "void";

/**
 * Settles a reservation, unless it is settled already. Waits for another transaction that is
 * settling it. Returns whether this call did.
 */
export async function settleReservation(
  db: Queryable,
  reservationId: string,
  outcome: ReservationOutcome,
): Promise<boolean> {
  const rows = await db.query(sql`
    insert into settled_reservations (reservation_id, outcome) values (${reservationId}, ${outcome})
    on conflict (reservation_id) do nothing
    returning 1`);
  return rows.length === 1;
}

/** What became of a settled reservation. */
export async function getReservationOutcome(
  db: Queryable,
  reservationId: string,
): Promise<ReservationOutcome> {
  const [row] = await db.query<{ outcome: ReservationOutcome }>(sql`
    select outcome from settled_reservations where reservation_id = ${reservationId}`);
  if (!row) throw new Error(`Reservation ${reservationId} is not settled.`);
  return row.outcome;
}

/** Puts what the limits service has to be told in the outbox. */
export async function insertOutboxMessage(
  tx: Transaction,
  reservationId: string,
  action: "commit" | "release",
): Promise<void> {
  await tx.query(sql`
    insert into outbox (reservation_id, action) values (${reservationId}, ${action})`);
}

/**
 * Forgets at most `limit` reservations that were settled more than `seconds` ago, unless the limits
 * service has yet to be told. Returns how many.
 */
export async function deleteOldSettlements(
  db: Queryable,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<number> {
  const rows = await db.query(sql`
    delete from settled_reservations where reservation_id in (
      select reservation_id from settled_reservations s
      where settled_at < now() - ${seconds} * interval '1 second'
        and not exists (select from outbox o where o.reservation_id = s.reservation_id)
      limit ${limit} for update skip locked
    )
    returning 1`);
  return rows.length;
}
