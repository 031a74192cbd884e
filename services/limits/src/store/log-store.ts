import { arrayLiteral } from "@nutrition/postgres/array-literal";
import type { Transaction } from "@nutrition/postgres/database";
import { prepared } from "@nutrition/postgres/sql";

import type { SubjectState, LogUpdate, SubjectUpdate } from "../domain/log-news.ts";
import type { LogKind, UsageEvent, UsageKind } from "../domain/usage.ts";
import { accountSubject } from "../domain/usage.ts";
import { microseconds, timestamptz } from "./microseconds.ts";

interface EventRow {
  now_us: number;
  /** Index of the requested log; null in the row that reports only the time. */
  log: number | null;
  /** Null in the row that reports the account's revision. */
  subject: string | null;
  revision: number | null;
  noted_us: number | null;
  /** Whether every event in the window was read, not only new ones. */
  is_whole: boolean;
  /** Null for a subject without events. */
  at_us: number | null;
  kind: UsageKind;
  cost: number;
  lines: number;
  journal_date: string | null;
  state: UsageEvent["state"];
}

const EVENT_COLUMNS = `at, kind, cost, lines, journal_date,
  case when analysis_failed then 'failed' else state end as state`;

const NO_EVENT = "null::timestamptz, null, null::int, null::int, null::date, null";

// Each subject is one index probe in few partitions: "offset 0" and the scalar subquery prevent
// joins that would read whole tables, the bounds on "at" choose the partitions once for all
// subjects, and the row comparison serves only the index. Only a clock that moved back by more than
// a day could hide events later than the last one read.
//
// The account's subjects are searched only when its revision says that they changed. Each subject
// is recorded at least once a day while in use, in the transaction of its events, so only those
// recorded within the window plus two days can have events in it.
const LIST = prepared(
  "list_logs",
  `with changed as materialized (
     select * from (
       select wanted.*, coalesce((select account_revision from subjects account
         where account.subject = wanted.account), -1) as current_revision
       from unnest($6::int[], $7::text[], $8::boolean[], $9::int[], $10::text[], $11::int[])
         as wanted (log, account, is_writes, account_revision, known, window_seconds)
       offset 0
     ) as compared
     where current_revision = -1 or current_revision is distinct from account_revision
   )
   select ${microseconds("t.now")} as now_us, read.log, read.subject, read.revision,
     ${microseconds("read.noted_at")} as noted_us, read.is_whole, ${microseconds("read.at")} as at_us,
     read.kind, read.cost, read.lines, read.journal_date, read.state
   from (select clock_timestamp() as now offset 0) as t
   left join lateral (
     select known.log, known.subject, null::int as revision, null::timestamptz as noted_at,
       false as is_whole, event.*
     from unnest($1::int[], $2::text[], $3::bigint[]) as known (log, subject, since_us)
     cross join lateral (
       select ${EVENT_COLUMNS} from usage_events e
       where e.subject = known.subject
         and (e.subject, e.at) >= (known.subject, ${timestamptz("known.since_us")})
         and e.at >= greatest(${timestamptz("$4::bigint")},
           statement_timestamp() - $5::int * interval '1 second')
         and e.at < statement_timestamp() + interval '1 day'
       offset 0
     ) as event
     union all
     select log, null, current_revision, null, false, ${NO_EVENT} from changed
     union all
     select noted.log, noted.subject, noted.revision, noted.last_at, noted.is_whole, event.*
     from (
       select changed.log, changed.window_seconds, s.subject, s.revision, s.last_at,
         s.subject || '#' || s.revision <> all (string_to_array(changed.known, ' ')) as is_whole
       from changed cross join lateral (
         select * from subjects
         where account_id = substr(changed.account, 9)::uuid
           and starts_with(subject, 'account:') = changed.is_writes
           and last_at >= statement_timestamp() - changed.window_seconds * interval '1 second'
             - interval '2 days'
         offset 0
       ) as s
     ) as noted
     left join lateral (
       select ${EVENT_COLUMNS} from usage_events e
       where noted.is_whole and e.subject = noted.subject
         and (e.subject, e.at) >= (noted.subject,
           statement_timestamp() - noted.window_seconds * interval '1 second')
         and e.at >= statement_timestamp() - $5::int * interval '1 second'
         and e.at < statement_timestamp() + interval '1 day'
       offset 0
     ) as event on true
   ) as read on true
   order by read.log, read.subject, read.is_whole desc, read.at`,
);

/** The events to read from one log of an account. */
export interface WantedLog {
  accountId: string;
  log: LogKind;
  windowSeconds: number;
  /**
   * Known subjects, of which only later events are read; all others are read over the whole window.
   */
  known: readonly SubjectState[];
  /** Revision of the account when its subjects were last read; undefined reads them again. */
  accountRevision: number | undefined;
}

/** Result of reading logs. */
export interface ReadLogs {
  /** The database's time of the read. */
  nowUs: number;
  /** In the order of the requested logs. */
  news: LogUpdate[];
}

/**
 * Added to whole windows, because the ledger may be dated by an earlier time of the transaction.
 */
const LATENESS_SECONDS = 60;

/** Reads logs of locked accounts. */
export async function listLogs(tx: Transaction, wanted: readonly WantedLog[]): Promise<ReadLogs> {
  const knownSubjects = wanted.flatMap((each, log) =>
    each.known.map(({ subject, lastAtUs }) => ({ log, subject, lastAtUs })),
  );
  const windows = wanted.map(({ windowSeconds }) => windowSeconds + LATENESS_SECONDS);
  const rows = await tx.query<EventRow>(
    LIST(
      arrayLiteral(knownSubjects.map(({ log }) => log)),
      arrayLiteral(knownSubjects.map(({ subject }) => subject)),
      arrayLiteral(knownSubjects.map(({ lastAtUs }) => lastAtUs + 1)),
      knownSubjects.reduce(
        (least, { lastAtUs }) => Math.min(least, lastAtUs),
        Number.MAX_SAFE_INTEGER,
      ),
      Math.max(...windows),
      arrayLiteral(wanted.map((_, log) => log)),
      arrayLiteral(wanted.map(({ accountId }) => accountSubject(accountId))),
      arrayLiteral(wanted.map(({ log }) => log === "writes")),
      arrayLiteral(wanted.map(({ accountRevision }) => accountRevision ?? null)),
      arrayLiteral(wanted.map((each) => each.known.map(tokenOf).join(" "))),
      arrayLiteral(windows),
    ),
  );
  return toReadLogs(rows, wanted.length);
}

function tokenOf({ subject, revision }: SubjectState): string {
  return `${subject}#${revision}`;
}

function toReadLogs(rows: readonly EventRow[], logs: number): ReadLogs {
  const news = Array.from({ length: logs }, (): LogUpdate => ({
    accountRevision: undefined,
    subjects: [],
  }));
  for (const row of rows) {
    // At least one row reports the time.
    if (row.log === null) continue;
    const log = news[row.log] as LogUpdate;
    if (row.subject === null) log.accountRevision = row.revision ?? undefined;
    else addEvent(log.subjects, row.subject, row);
  }
  return { nowUs: rows[0]?.now_us ?? 0, news };
}

function addEvent(news: SubjectUpdate[], name: string, row: EventRow): void {
  let subject = news.at(-1);
  if (subject?.subject !== name) {
    const revision = row.is_whole && row.revision !== null ? row.revision : undefined;
    subject = { subject: name, revision, notedAtUs: undefined, events: [] };
    news.push(subject);
  }
  subject.notedAtUs ??= row.noted_us ?? undefined;
  // Fully read subjects come first; their events include those after the last known one.
  const isToldTwice = subject.revision !== undefined && !row.is_whole;
  if (isToldTwice || row.at_us === null) return;
  const { at_us: atUs, kind, cost, lines, journal_date: journalDate, state } = row;
  subject.events.push({ atUs, kind, cost, lines, journalDate, state });
}
