import type { Queryable } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

import type { Policy } from "../src/domain/policy.ts";

/** The fullest window of one policy that a subject ever had. */
export interface FullestWindow {
  policy: string;
  subject: string;
  units: number;
}

const COUNTED_TOGETHER: Record<Policy["counts"], { prefix: string; is_of_account: boolean }> = {
  api_key_requests: { prefix: "key:", is_of_account: false },
  connector_requests: { prefix: "connector:", is_of_account: false },
  requests: { prefix: "", is_of_account: true },
  mutations: { prefix: "account:", is_of_account: false },
  lines: { prefix: "account:", is_of_account: false },
  failed_analyses: { prefix: "account:", is_of_account: false },
};

/**
 * Finds, from the log alone, the largest count in any window (both ends included) for every policy
 * and subject, which is the account's where the policy counts all of its credentials. It shares no
 * code with the decisions that it checks.
 */
export function findFullestWindows(
  database: Queryable,
  policies: readonly Policy[],
): Promise<FullestWindow[]> {
  const rules = policies.map((policy) => ({
    policy: policy.name,
    ...COUNTED_TOGETHER[policy.counts],
    counts_requests: policy.counts.endsWith("requests"),
    counts_lines: policy.counts === "lines",
    counts_failed: policy.counts === "failed_analyses",
    kinds: policy.kinds ?? null,
    each_date: policy.eachJournalDate,
    length: `${policy.windowSeconds} seconds`,
  }));
  return database.query<FullestWindow>(sql`
    select rule.policy, w.subject, max(w.units)::int as units
    from jsonb_to_recordset(${JSON.stringify(rules)}::jsonb) as rule (policy text, prefix text,
      is_of_account boolean, counts_requests boolean, counts_lines boolean, counts_failed boolean,
      kinds text[], each_date boolean, length interval)
    cross join lateral (
      select subject, sum(case when rule.counts_lines then lines else cost end) over (
        partition by subject, case when rule.each_date then journal_date end
        order by at range between rule.length preceding and current row
      ) as units
      from (
        select case when rule.is_of_account then 'account:' || s.account_id else e.subject end
          as subject, e.at, e.cost, e.lines, e.journal_date
        from usage_events e left join subjects s using (subject)
        where starts_with(e.subject, rule.prefix) and (kind = 'request') = rule.counts_requests
          and case when rule.counts_failed then analysis_failed and kind in ('log', 'edit')
            else state <> 'released' end
          and (rule.kinds is null or kind = any (rule.kinds))
      ) as counted
    ) as w
    group by rule.policy, w.subject order by rule.policy, w.subject`);
}

/** The windows with more units than their policy allows; none if the service is correct. */
export async function findExcess(
  database: Queryable,
  policies: readonly Policy[],
): Promise<FullestWindow[]> {
  const maxima = new Map(policies.map(({ name, max }) => [name, max]));
  const windows = await findFullestWindows(database, policies);
  return windows.filter(({ policy, units }) => units > (maxima.get(policy) ?? 0));
}
