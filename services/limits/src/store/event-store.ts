import type { Transaction } from "@nutrition/postgres/database";
import { prepared, sql } from "@nutrition/postgres/sql";

import type { Intent, UsageEvent, UsageKind } from "../domain/usage.ts";
import { arrayLiteral } from "./array-literal.ts";
import { microseconds, timestamptz } from "./microseconds.ts";

interface EventRow {
  now_us: number;
  subject: string | null;
  /** Null for a subject that is to be noted. */
  at_us: number | null;
  kind: UsageKind;
  cost: number;
  lines: number;
  journal_date: string | null;
  state: UsageEvent["state"];
}

// Written so that each subject is one probe of an index in few partitions, and one of "subjects":
// "offset 0" and the scalar subquery keep them from becoming joins that read whole tables; the
// bounds on "at" choose partitions once for all subjects; the comparison of rows is for the index
// alone. Only a clock that went back by more than a day could leave events later than the last
// moment that is read.
const LIST = prepared(
  "list_events",
  `select ${microseconds("t.now")} as now_us, read.subject, ${microseconds("read.at")} as at_us,
     read.kind, read.cost, read.lines, read.journal_date, read.state
   from (select clock_timestamp() as now offset 0) as t
   left join lateral (
     select wanted.subject, event.*
     from unnest($1::text[], $2::bigint[], $3::int[]) as wanted (subject, since_us, window_seconds)
     cross join lateral (
       select at, kind, cost, lines, journal_date, state from usage_events e
       where e.subject = wanted.subject
         and (e.subject, e.at) >= (wanted.subject, coalesce(${timestamptz("wanted.since_us")},
           statement_timestamp() - wanted.window_seconds * interval '1 second'))
         and e.at >= coalesce(${timestamptz("$4::bigint")},
           statement_timestamp() - $5::int * interval '1 second')
         and e.at < statement_timestamp() + interval '1 day'
       offset 0
     ) as event
     union all
     select subject, null, null, null, null, null, null from unnest($1::text[]) as s (subject)
     where coalesce((select last_at from subjects noted where noted.subject = s.subject)
       < statement_timestamp() - interval '1 day', true)
   ) as read on true
   order by read.subject, read.at`,
);

/** What to read of a subject's log. */
export interface WantedEvents {
  subject: string;
  /** From this moment on; undefined for the whole window that ends now. */
  sinceUs: number | undefined;
  windowSeconds: number;
}

/** What was read of subjects. */
export interface ReadLog {
  /** The database's time when it was read. */
  nowUs: number;
  /** Oldest first; released events are there too. */
  events: Map<string, UsageEvent[]>;
  /** Subjects that were not noted within the last day. */
  unnoted: string[];
}

/** Reads the log of locked subjects. */
export async function listEvents(
  tx: Transaction,
  wanted: readonly WantedEvents[],
): Promise<ReadLog> {
  const moments = wanted.map(({ sinceUs }) => sinceUs ?? null);
  const windows = wanted.map(({ windowSeconds }) => windowSeconds);
  const rows = await tx.query<EventRow>(
    LIST(
      arrayLiteral(wanted.map(({ subject }) => subject)),
      arrayLiteral(moments),
      arrayLiteral(windows),
      moments.includes(null) ? null : Math.min(...(moments as number[])),
      Math.max(...windows),
    ),
  );
  const log: ReadLog = { nowUs: rows[0]?.now_us ?? 0, events: new Map(), unnoted: [] };
  for (const row of rows) {
    const { subject, at_us: atUs, journal_date: journalDate, kind, cost, lines, state } = row;
    if (subject === null) continue;
    if (atUs === null) {
      log.unnoted.push(subject);
      continue;
    }
    const event = { atUs, kind, cost, lines, journalDate, state };
    const known = log.events.get(subject);
    if (known) known.push(event);
    else log.events.set(subject, [event]);
  }
  return log;
}

/** An intent that was allowed, with the moment of its event. */
export interface NewEvent {
  intent: Intent;
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

/** Logs allowed intents; sent along with the commit, which fails when this does. */
export function sendEvents(tx: Transaction, events: readonly NewEvent[]): void {
  const list = (pick: (event: NewEvent) => string | number | null) =>
    arrayLiteral(events.map(pick));
  tx.send(
    INSERT(
      list(({ intent }) => intent.subject),
      list(({ atUs }) => atUs),
      list(({ intent }) => intent.kind),
      list(({ intent }) => intent.cost),
      list(({ intent }) => intent.lines),
      list(({ intent }) => intent.journalDate),
      list(({ intent }) => intent.credentialId),
      list(({ intent }) => intent.requestId),
      list(({ intent }) => (intent.reservationId === null ? "committed" : "reserved")),
    ),
  );
}

/** Gives the events of locked subjects new, random subjects and takes the credential off them. */
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
