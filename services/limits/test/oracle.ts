import type { Queryable } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

import type { Policy } from "../src/domain/policy.ts";
import { subjectKindOf } from "../src/domain/policy.ts";

/** The fullest window of one policy that a subject ever had. */
export interface FullestWindow {
  policy: string;
  subject: string;
  units: number;
}

const SUBJECT_PREFIXES = { api_key: "key:", connector: "connector:", account: "account:" };

/**
 * Finds, from the log alone, the largest count in any window (both ends included) for every policy
 * and subject. It shares no code with the decisions that it judges.
 */
export function findFullestWindows(
  database: Queryable,
  policies: readonly Policy[],
): Promise<FullestWindow[]> {
  const rules = policies.map((policy) => ({
    policy: policy.name,
    prefix: SUBJECT_PREFIXES[subjectKindOf(policy)],
    counts_lines: policy.counts === "lines",
    kinds: policy.kinds ?? null,
    each_date: policy.eachJournalDate,
    length: `${policy.windowSeconds} seconds`,
  }));
  return database.query<FullestWindow>(sql`
    select rule.policy, w.subject, max(w.units)::int as units
    from jsonb_to_recordset(${JSON.stringify(rules)}::jsonb) as rule (policy text, prefix text,
      counts_lines boolean, kinds text[], each_date boolean, length interval)
    cross join lateral (
      select subject, sum(case when rule.counts_lines then lines else cost end) over (
        partition by subject, case when rule.each_date then journal_date end
        order by at range between rule.length preceding and current row
      ) as units
      from usage_events
      where starts_with(subject, rule.prefix) and state <> 'released'
        and (rule.kinds is null or kind = any (rule.kinds))
    ) as w
    group by rule.policy, w.subject order by rule.policy, w.subject`);
}

/** The windows that held more than their policy allows: none, if the service keeps its promise. */
export async function findExcess(
  database: Queryable,
  policies: readonly Policy[],
): Promise<FullestWindow[]> {
  const maxima = new Map(policies.map(({ name, max }) => [name, max]));
  const windows = await findFullestWindows(database, policies);
  return windows.filter(({ policy, units }) => units > (maxima.get(policy) ?? 0));
}
