import type { Database } from "@nutrition/postgres/database";

import type { Decision } from "../src/domain/decision.ts";
import type { SubjectState } from "../src/domain/subject-ledger.ts";
import type { Intent } from "../src/domain/usage.ts";
import type { DecideOptions } from "../src/operations/decide-batch.ts";
import { decideLocked } from "../src/operations/decide-batch.ts";
import { microseconds } from "../src/store/microseconds.ts";

interface Row {
  now_us: number;
  subject: string;
  last_at_us: number | null;
  counted_at_us: number;
  counters: SubjectState["counters"];
}

const LOCK_AND_READ = `with locked as materialized (
    select subject, pg_advisory_xact_lock(hashtextextended(subject, 7301))
    from unnest($1::text[]) as s (subject)
  )
  select ${microseconds("clock_timestamp()")} as now_us, subject,
    ${microseconds("last_at")} as last_at_us, ${microseconds("counted_at")} as counted_at_us, counters
  from locked left join limit_state using (subject)`;

/**
 * `decideBatch` with the mistake that it must not make: it locks and reads in one statement, whose
 * snapshot is older than the wait for the lock. The suite has to catch it.
 */
export async function decideInSingleStatement(
  database: Database,
  intents: readonly Intent[],
  options: DecideOptions,
): Promise<Decision[]> {
  const subjects = [...new Set(intents.map((intent) => intent.subject))].sort();
  return database.transaction(async (tx) => {
    const rows = await tx.query<Row>({ text: LOCK_AND_READ, values: [subjects] });
    const states = new Map<string, SubjectState>();
    for (const row of rows) {
      if (row.last_at_us === null) continue;
      const { last_at_us: lastAtUs, counted_at_us: countedAtUs, counters } = row;
      states.set(row.subject, { lastAtUs, countedAtUs, counters });
    }
    return decideLocked(tx, intents, { ...options, states, nowUs: rows[0]?.now_us ?? 0 });
  });
}
