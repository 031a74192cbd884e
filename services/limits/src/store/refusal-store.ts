import type { Queryable } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

/** Adds denials to the current hour. */
export async function addDenials(
  database: Queryable,
  refusals: ReadonlyMap<string, number>,
): Promise<void> {
  await database.query(sql`insert into refusal_counts (policy, hour, refusals)
    select policy, date_trunc('hour', clock_timestamp()), refusals
    from unnest(${[...refusals.keys()]}::text[], ${[...refusals.values()]}::bigint[])
      as r (policy, refusals)
    order by policy
    on conflict (hour, policy) do update set refusals = refusal_counts.refusals + excluded.refusals`);
}

/** Denials per policy in the hours that overlap the range, highest first. */
export function listRefusals(
  database: Queryable,
  rangeSeconds: number,
): Promise<{ policy: string; refusals: number }[]> {
  return database.query(sql`select policy, sum(refusals)::bigint as refusals from refusal_counts
    where hour > now() - ${rangeSeconds} * interval '1 second' - interval '1 hour'
    group by policy order by refusals desc, policy`);
}

/** Deletes hours that ended more than `seconds` ago. */
export async function deleteOldDenials(database: Queryable, seconds: number): Promise<void> {
  await database.query(sql`delete from refusal_counts
    where hour < now() - ${seconds} * interval '1 second'`);
}
