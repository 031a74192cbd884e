import type { Transaction } from "@nutrition/postgres/database";

import type { UsageEvent } from "../src/domain/usage.ts";
import { accountSubject } from "../src/domain/usage.ts";
import { decideAfter } from "../src/operations/decide-batch.ts";
import type { LogGroup } from "../src/operations/log-groups.ts";
import type { ReadLogs } from "../src/store/log-store.ts";
import { microseconds } from "../src/store/microseconds.ts";

interface Row extends Omit<UsageEvent, "atUs" | "journalDate"> {
  now_us: number;
  subject: string;
  at_us: number | null;
  journal_date: string | null;
}

const LOCK_AND_READ = `with locked as materialized (
    select subject, pg_advisory_xact_lock(hashtextextended(subject, 7301))
    from unnest($1::text[]) as s (subject)
  )
  select ${microseconds("clock_timestamp()")} as now_us, locked.subject,
    ${microseconds("e.at")} as at_us, e.kind, e.cost, e.lines, e.journal_date, e.state
  from locked left join usage_events e on e.subject = locked.subject
  order by locked.subject, e.at`;

/** Locks and reads in one statement, whose snapshot is older than the wait for the lock. */
async function lockAndReadAtOnce(tx: Transaction, groups: readonly LogGroup[]): Promise<ReadLogs> {
  const named = groups.flatMap(({ accountId, limitRequests }) => [
    accountSubject(accountId),
    ...limitRequests.map(({ subject }) => subject),
  ]);
  const subjects = [...new Set(named)].sort();
  const rows = await tx.query<Row>({ text: LOCK_AND_READ, values: [subjects] });
  const news = groups.map(({ limitRequests }) => {
    const subject = limitRequests[0]?.subject as string;
    const events = rows.flatMap(({ at_us: atUs, journal_date: journalDate, ...row }) =>
      row.subject === subject && atUs !== null ? [{ ...row, atUs, journalDate }] : [],
    );
    const read = { subject, revision: 0, notedAtUs: undefined, events };
    return { accountRevision: undefined, subjects: [read] };
  });
  return { nowUs: rows[0]?.now_us ?? 0, news };
}

/** `decideBatch` with the mistake that it must not make; the suite must detect it. */
export const decideInSingleStatement = decideAfter(lockAndReadAtOnce);
