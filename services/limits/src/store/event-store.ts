import type { Transaction } from "@nutrition/postgres/database";
import { prepared, sql } from "@nutrition/postgres/sql";

import type { SubjectState } from "../domain/subject-ledger.ts";
import type { Intent, UsageEvent, UsageKind } from "../domain/usage.ts";
import { microseconds, timestamptz } from "./microseconds.ts";

interface EventRow {
  subject: string;
  at_us: number;
  kind: UsageKind;
  cost: number;
  lines: number;
  journal_date: string | null;
  reserved: boolean;
}

const LIST = prepared(
  "list_events",
  `select wanted.subject, ${microseconds("at")} as at_us, kind, cost, lines, journal_date,
     state = 'reserved' as reserved
   from unnest($1::text[], $2::bigint[]) as wanted (subject, since_us)
   cross join lateral (
     select * from usage_events e
     where e.subject = wanted.subject and e.at >= ${timestamptz("wanted.since_us")}
       and e.state <> 'released'
   ) as e
   order by wanted.subject, at`,
);

/** The events that count of each subject since its own moment, oldest first. */
export async function listEvents(
  tx: Transaction,
  wanted: readonly { subject: string; sinceUs: number }[],
): Promise<Map<string, UsageEvent[]>> {
  const subjects = wanted.map(({ subject }) => subject);
  const moments = wanted.map(({ sinceUs }) => sinceUs);
  const rows = await tx.query<EventRow>(LIST(subjects, moments));
  const events = new Map<string, UsageEvent[]>(subjects.map((subject) => [subject, []]));
  for (const { subject, at_us: atUs, journal_date: journalDate, ...row } of rows) {
    const { kind, cost, lines, reserved } = row;
    events.get(subject)?.push({ atUs, kind, cost, lines, journalDate, reserved });
  }
  return events;
}

/** An intent that was allowed, with the moment of its event. */
export interface NewEvent {
  intent: Intent;
  atUs: number;
}

/** What is to be stored of a subject after decisions. */
export interface NewState {
  subject: string;
  accountId: string;
  state: SubjectState;
}

// One statement, so that a batch costs one round trip more and no event is without its counters.
const INSERT = prepared(
  "insert_decisions",
  `with allowed as (
     select *, ${timestamptz("at_us")} as at
     from unnest($1::text[], $2::bigint[], $3::text[], $4::int[], $5::int[], $6::date[], $7::text[],
       $8::text[], $9::uuid[])
       as a (subject, at_us, kind, cost, lines, journal_date, credential_id, request_id, reservation_id)
   ), events as (
     insert into usage_events (subject, at, kind, cost, lines, journal_date, credential_id,
       request_id, state)
     select subject, at, kind, cost, lines, journal_date, credential_id, request_id,
       case when reservation_id is null then 'committed' else 'reserved' end
     from allowed
   ), held as (
     insert into reservations (id, subject, at, expires_at)
     select reservation_id, subject, at, at + $10::bigint * interval '1 millisecond'
     from allowed where reservation_id is not null
   )
   insert into limit_state (subject, account_id, last_at, counted_at, counters)
   select subject, account_id, ${timestamptz("last_at_us")}, ${timestamptz("counted_at_us")}, counters
   from unnest($11::text[], $12::uuid[], $13::bigint[], $14::bigint[], $15::json[])
     as s (subject, account_id, last_at_us, counted_at_us, counters)
   on conflict (subject) do update set account_id = excluded.account_id, last_at = excluded.last_at,
     counted_at = excluded.counted_at, counters = excluded.counters`,
);

/** Logs allowed intents, with their reservations, and stores what is now known of the subjects. */
export async function insertDecisions(
  tx: Transaction,
  decided: { events: readonly NewEvent[]; states: readonly NewState[]; holdMs: number },
): Promise<void> {
  const { events, states, holdMs } = decided;
  const intents = events.map(({ intent }) => intent);
  await tx.query(
    INSERT(
      intents.map((intent) => intent.subject),
      events.map(({ atUs }) => atUs),
      intents.map((intent) => intent.kind),
      intents.map((intent) => intent.cost),
      intents.map((intent) => intent.lines),
      intents.map((intent) => intent.journalDate),
      intents.map((intent) => intent.credentialId),
      intents.map((intent) => intent.requestId),
      intents.map((intent) => intent.reservationId),
      holdMs,
      states.map(({ subject }) => subject),
      states.map(({ accountId }) => accountId),
      states.map(({ state }) => state.lastAtUs),
      states.map(({ state }) => state.countedAtUs),
      states.map(({ state }) => JSON.stringify(state.counters)),
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
