import type { Transaction } from "@nutrition/postgres/database";

import type { UsageEvent } from "../src/domain/usage.ts";
import type { SubjectGroup } from "../src/operations/decide-batch.ts";
import { decideAfter } from "../src/operations/decide-batch.ts";
import type { ReadLog } from "../src/store/event-store.ts";
import { microseconds, timestamptz } from "../src/store/microseconds.ts";

interface Row extends Omit<UsageEvent, "atUs" | "journalDate"> {
  now_us: number;
  subject: string;
  at_us: number | null;
  journal_date: string | null;
}

const LOCK_AND_READ = `with locked as materialized (
    select subject, since_us, pg_advisory_xact_lock(hashtextextended(subject, 7301))
    from unnest($1::text[], $2::bigint[]) as s (subject, since_us)
  )
  select ${microseconds("clock_timestamp()")} as now_us, locked.subject,
    ${microseconds("e.at")} as at_us, e.kind, e.cost, e.lines, e.journal_date, e.state
  from locked left join usage_events e
    on e.subject = locked.subject and e.at >= ${timestamptz("coalesce(since_us, 0)")}
  order by locked.subject, e.at`;

/** Locks and reads in one statement, whose snapshot is older than the wait for the lock. */
async function lockAndReadAtOnce(
  tx: Transaction,
  groups: readonly SubjectGroup[],
): Promise<ReadLog> {
  const sorted = groups.toSorted((a, b) => (a.subject < b.subject ? -1 : 1));
  const values = [sorted.map(({ subject }) => subject), sorted.map(({ sinceUs }) => sinceUs)];
  const rows = await tx.query<Row>({ text: LOCK_AND_READ, values });
  const events = new Map<string, UsageEvent[]>();
  for (const { subject, at_us: atUs, journal_date: journalDate, ...row } of rows) {
    if (atUs === null) continue;
    events.set(subject, [...(events.get(subject) ?? []), { ...row, atUs, journalDate }]);
  }
  return { nowUs: rows[0]?.now_us ?? 0, events, unnoted: [] };
}

/** `decideBatch` with the mistake that it must not make; the suite has to catch it. */
export const decideInSingleStatement = decideAfter(lockAndReadAtOnce);
