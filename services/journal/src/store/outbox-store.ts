import type { Queryable } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

export interface OutboxMessage {
  reservation_id: string;
  action: "commit" | "release";
  /** Deliveries begun, with this one. */
  attempts: number;
}

/**
 * Takes due messages, oldest first, and puts off their next delivery: 2 s after the first attempt,
 * doubling up to a minute. Concurrent callers take different ones.
 */
export async function takeDueMessages(db: Queryable, limit: number): Promise<OutboxMessage[]> {
  return db.query<OutboxMessage>(sql`
    update outbox set
      attempts = attempts + 1,
      next_attempt_at = now() + least(2 * 2 ^ least(attempts, 10), 60) * interval '1 second'
    where reservation_id in (
      select reservation_id from outbox where next_attempt_at <= now()
      order by next_attempt_at limit ${limit}
      for update skip locked
    )
    returning reservation_id, action, attempts`);
}

/** Removes a message that was acknowledged. */
export async function deleteMessage(db: Queryable, reservationId: string): Promise<void> {
  await db.query(sql`delete from outbox where reservation_id = ${reservationId}`);
}
