import type { Queryable } from "@nutrition/postgres/database";
import { sql, preparedSql } from "@nutrition/postgres/sql";

/**
 * Outcomes reported to the limits service: the write happened, did not happen, or could not be
 * analyzed.
 */
export type OutboxAction = "commit" | "release" | "release_failed";

export interface OutboxMessage {
  reservation_id: string;
  action: OutboxAction;
  /** Number of delivery attempts, including this one. */
  attempts: number;
}

/**
 * Leases due messages, oldest first, and schedules their next attempt: after 2 s, doubling up to a
 * minute. Concurrent callers get different messages.
 */
export async function takeDueMessages(db: Queryable, limit: number): Promise<OutboxMessage[]> {
  return db.query<OutboxMessage>(preparedSql("take_due_messages")`
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

/** Number of pending messages and the age of the oldest in seconds; 0 without messages. */
export async function measureOutbox(db: Queryable): Promise<{ waiting: number; age: number }> {
  const [measured] = await db.query<{ waiting: number; age: number }>(sql`
    select count(*) as waiting,
      coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age
    from outbox`);
  return measured ?? { waiting: 0, age: 0 };
}

/** Deletes an acknowledged message. */
export async function deleteMessage(db: Queryable, reservationId: string): Promise<void> {
  await db.query(
    preparedSql("delete_message")`delete from outbox where reservation_id = ${reservationId}`,
  );
}
