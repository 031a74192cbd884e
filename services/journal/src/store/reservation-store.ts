import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { sql, preparedSql } from "@nutrition/postgres/sql";

import type { OutboxAction } from "./outbox-store.ts";

/** Outcome of a reservation: `used` if a write happened or cost money, or permanently `void`. */
export type ReservationOutcome = "used" | "void";

/**
 * Settles a reservation unless it is settled, waiting for a concurrent transaction that is settling
 * it. Returns whether this call settled it.
 */
export async function settleReservation(
  db: Queryable,
  reservationId: string,
  outcome: ReservationOutcome,
): Promise<boolean> {
  const rows = await db.query(preparedSql("settle_reservation")`
    insert into settled_reservations (reservation_id, outcome) values (${reservationId}, ${outcome})
    on conflict (reservation_id) do nothing
    returning 1`);
  return rows.length === 1;
}

/** Outcome of a settled reservation. */
export async function getReservationOutcome(
  db: Queryable,
  reservationId: string,
): Promise<ReservationOutcome> {
  const [row] = await db.query<{ outcome: ReservationOutcome }>(sql`
    select outcome from settled_reservations where reservation_id = ${reservationId}`);
  if (!row) throw new Error(`Reservation ${reservationId} is not settled.`);
  return row.outcome;
}

/** Adds a message to the limits service to the outbox. */
export async function insertOutboxMessage(
  tx: Transaction,
  reservationId: string,
  action: OutboxAction,
): Promise<void> {
  await tx.query(preparedSql("insert_outbox_message")`
    insert into outbox (reservation_id, action) values (${reservationId}, ${action})`);
}

/**
 * Deletes up to `limit` reservations that were settled more than `seconds` ago and have no pending
 * outbox message. Returns the number deleted.
 */
export async function deleteOldSettlements(
  db: Queryable,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<number> {
  const rows = await db.query(sql`
    delete from settled_reservations where reservation_id = any (array(
      select reservation_id from settled_reservations s
      where settled_at < now() - ${seconds} * interval '1 second'
        and not exists (select from outbox o where o.reservation_id = s.reservation_id)
      order by settled_at limit ${limit} for update skip locked
    ))
    returning 1`);
  return rows.length;
}
