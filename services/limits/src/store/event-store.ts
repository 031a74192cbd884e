import { arrayLiteral } from "@nutrition/postgres/array-literal";
import type { Transaction } from "@nutrition/postgres/database";
import { prepared, sql } from "@nutrition/postgres/sql";

import type { LimitRequest } from "../domain/usage.ts";
import { timestamptz } from "./microseconds.ts";

/** An allowed limit request with the time of its event. */
export interface NewEvent {
  limitRequest: LimitRequest;
  atUs: number;
}

const INSERT = prepared(
  "insert_events",
  `insert into usage_events (subject, at, kind, cost, lines, journal_date, credential_id, request_id,
     state)
   select subject, ${timestamptz("at_us")}, kind, cost, lines, journal_date, credential_id, request_id,
     state
   from unnest($1::text[], $2::bigint[], $3::text[], $4::int[], $5::int[], $6::date[], $7::text[],
     $8::text[], $9::text[])
     as a (subject, at_us, kind, cost, lines, journal_date, credential_id, request_id, state)`,
);

/**
 * Inserts the events of allowed limit requests; pipelined with the commit, which fails if this
 * fails.
 */
export function sendEvents(tx: Transaction, events: readonly NewEvent[]): void {
  const list = (pick: (event: NewEvent) => string | number | null) =>
    arrayLiteral(events.map(pick));
  tx.send(
    INSERT(
      list(({ limitRequest }) => limitRequest.subject),
      list(({ atUs }) => atUs),
      list(({ limitRequest }) => limitRequest.kind),
      list(({ limitRequest }) => limitRequest.cost),
      list(({ limitRequest }) => limitRequest.lines),
      list(({ limitRequest }) => limitRequest.journalDate),
      list(({ limitRequest }) => limitRequest.credentialId),
      list(({ limitRequest }) => limitRequest.requestId),
      list(({ limitRequest }) => (limitRequest.reservationId === null ? "committed" : "reserved")),
    ),
  );
}

/**
 * Releases the requests of locked subjects at these times. Returns the subjects of those that were
 * found.
 */
export async function releaseRequests(
  tx: Transaction,
  counted: readonly { subject: string; atUs: number }[],
): Promise<string[]> {
  const subjects = counted.map(({ subject }) => subject);
  const moments = counted.map(({ atUs }) => atUs);
  const [first, last] = [Math.min(...moments), Math.max(...moments)];
  // The bounds prune partitions once for all rows.
  const rows = await tx.query<{ subject: string }>(sql`update usage_events e set state = 'released'
    from unnest(${subjects}::text[], ${moments}::bigint[]) as counted (subject, at_us)
    where e.subject = counted.subject
      and e.at = 'epoch'::timestamptz + counted.at_us * interval '1 microsecond'
      and e.at >= 'epoch'::timestamptz + ${first}::bigint * interval '1 microsecond'
      and e.at <= 'epoch'::timestamptz + ${last}::bigint * interval '1 microsecond'
      and e.kind = 'request' and e.state = 'committed'
    returning e.subject`);
  return [...new Set(rows.map(({ subject }) => subject))];
}

/**
 * Replaces the subjects of events by random ones and removes their credentials. The subjects must
 * be locked.
 */
export async function unlinkEvents(tx: Transaction, subjects: readonly string[]): Promise<void> {
  await tx.query(sql`with renamed as materialized (
      select subject, 'erased:' || gen_random_uuid() as unlinked
      from unnest(${subjects}::text[]) as s (subject)
    ), held as (
      update reservations r set subject = unlinked from renamed where r.subject = renamed.subject
    )
    update usage_events e set subject = unlinked, credential_id = null
    from renamed where e.subject = renamed.subject`);
}
