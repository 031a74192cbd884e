import type { Queryable } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

export interface UsageBucket {
  credential_id: string;
  start: Date;
  requests: number;
  mutations: number;
}

export interface UsageRange {
  subjects: readonly string[];
  start: Date;
  step: "hour" | "day";
  /** Intervals, beginning with the one that contains `start`. */
  steps: number;
  /** Maximum number of rows; the newest are kept. */
  limit: number;
}

/** Usage of the subjects per interval in UTC, ordered by credential and time. */
export function listUsageBuckets(database: Queryable, range: UsageRange): Promise<UsageBucket[]> {
  const { subjects, start, step, steps, limit } = range;
  return database.query(sql`select * from (
      select coalesce(credential_id, '') as credential_id, date_trunc(${step}, at) as start,
        coalesce(sum(cost) filter (where kind = 'request'), 0)::bigint as requests,
        coalesce(sum(cost) filter (where kind <> 'request'), 0)::bigint as mutations
      from usage_events
      where subject = any (${subjects}::text[]) and state <> 'released'
        and at >= date_trunc(${step}, ${start}::timestamptz)
        and at < date_trunc(${step}, ${start}::timestamptz) + ${steps} * ('1 ' || ${step}::text)::interval
      group by 1, 2 order by start desc limit ${limit}
    ) as newest order by credential_id, start`);
}

/** The subjects with the most usage, highest first. */
export function listTopSubjects(
  database: Queryable,
  rangeSeconds: number,
  limit: number,
): Promise<{ subject: string; units: number }[]> {
  return database.query(sql`select subject, sum(cost)::bigint as units from usage_events
    where at > now() - ${rangeSeconds} * interval '1 second' and state <> 'released'
    group by subject order by units desc, subject limit ${limit}`);
}
