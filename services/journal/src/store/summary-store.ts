import type { Queryable } from "@nutrition/postgres/database";
import { prepared } from "@nutrition/postgres/sql";

import { GOALS, LIVE_ITEMS, NO_TOTALS, TOTALS, entryDocuments } from "./documents.ts";

const summary = prepared(
  "get_summary",
  `
  select json_build_object(
    'date', day.date,
    'timezone', day.timezone,
    'totals', coalesce(entry.totals, ${NO_TOTALS}),
    'goals', day.goals,
    'entries', case when entry.document is null then '[]'::json
      else json_build_array(entry.document) end
  )::text as json
  from (
    select
      coalesce(s.timezone, 'UTC') as timezone,
      coalesce($2::date, ($3::timestamptz at time zone coalesce(s.timezone, 'UTC'))::date) as date,
      ${GOALS} as goals
    from (select $1::uuid as account_id) account left join settings s using (account_id)
  ) day
  left join lateral (${entryDocuments(`
    select * from entries
    where account_id = $1::uuid and date = day.date and deleted_at is null`)}
  ) entry on true`,
);

/** NutritionSummaryResponse of a day; a null date is today in the account's timezone. */
export async function getSummary(
  db: Queryable,
  accountId: string,
  day: { date: string | null; now: Date },
): Promise<string> {
  const [row] = await db.query<{ json: string }>(summary(accountId, day.date, day.now));
  return (row as { json: string }).json;
}

const dailyTotals = prepared(
  "list_daily_totals",
  `
  select coalesce(
    json_agg(json_build_object('date', e.date, 'totals', c.totals) order by e.date), '[]'::json
  )::text as json
  from entries e
  cross join lateral (select ${TOTALS} as totals from ${LIVE_ITEMS}) c
  where e.account_id = $1::uuid and e.deleted_at is null and e.date between $2::date and $3::date`,
);

/** Array of `{date, totals}` of the days with food, oldest first. */
export async function listDailyTotals(
  db: Queryable,
  accountId: string,
  { startDate, endDate }: { startDate: string; endDate: string },
): Promise<string> {
  const [row] = await db.query<{ json: string }>(dailyTotals(accountId, startDate, endDate));
  return (row as { json: string }).json;
}
