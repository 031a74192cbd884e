import type { CivilDate } from "@nutrition/core/civil-date";
import { civilDateIn } from "@nutrition/core/civil-date";
import { arrayLiteral } from "@nutrition/postgres/array-literal";
import type { Queryable } from "@nutrition/postgres/database";
import { prepared } from "@nutrition/postgres/sql";

import type { StoredDocument } from "./documents.ts";
import {
  ENTRY,
  ENTRY_TOTALS,
  GOALS,
  NO_TOTALS,
  jsonArray,
  jsonObject,
  jsonText,
} from "./documents.ts";

// Where no date is given, today is a guess: PostgreSQL's table of time zones is not the one that decides
// (docs/decisions/0060). A day has at most one live entry. The limit prevents a plan, cached while the tables were small,
// that reads all days before selecting the requested ones.
const summaries = prepared(
  "get_summaries",
  `
  select ${jsonObject({
    date: jsonText("day.date"),
    timezone: jsonText("day.timezone"),
    totals: `coalesce(entry.totals, ${NO_TOTALS})`,
    goals: "day.goals",
    entries: "coalesce('[' || entry.document || ']', '[]')",
  })} as json,
    day.water_unit as "waterUnit",
    day.energy_unit as "energyUnit",
    day.date,
    day.timezone
  from (
    select
      asked.position,
      asked.account_id,
      coalesce(s.timezone, 'UTC') as timezone,
      coalesce(asked.date, (asked.now at time zone coalesce(s.timezone, 'UTC'))::date) as date,
      ${GOALS} as goals,
      coalesce(s.water_unit, 'ml') as water_unit,
      coalesce(s.energy_unit, 'kcal') as energy_unit
    from unnest($1::uuid[], $2::date[], $3::timestamptz[])
      with ordinality as asked (account_id, date, now, position)
    left join settings s on s.account_id = asked.account_id
  ) day
  left join lateral (
    select ${ENTRY_TOTALS} as totals, ${ENTRY} as document from entries e
    where e.account_id = day.account_id and e.date = day.date and e.deleted_at is null
    limit 1
  ) entry on true
  order by day.position`,
);

/** A day of an account; null means today in its time zone at `now`. */
export interface SummaryRequest {
  accountId: string;
  date: CivilDate | null;
  now: Date;
}

interface Summary extends StoredDocument {
  readonly date: CivilDate;
  readonly timezone: string;
}

/** NutritionSummaryResponse of each requested day, in order. */
export async function listSummaries(
  db: Queryable,
  requests: readonly SummaryRequest[],
): Promise<StoredDocument[]> {
  const found = await querySummaries(db, requests);
  const missed = requests.flatMap((request, index) => {
    const { date, timezone } = found[index]!;
    const today = request.date ?? civilDateIn(timezone, request.now);
    return today === date ? [] : [{ index, request: { ...request, date: today } }];
  });
  if (missed.length === 0) return found;
  const again = missed.map(({ request }) => request);
  const corrected = await querySummaries(db, again);
  missed.forEach(({ index }, place) => (found[index] = corrected[place]!));
  return found;
}

async function querySummaries(
  db: Queryable,
  requests: readonly SummaryRequest[],
): Promise<Summary[]> {
  return db.query<Summary>(
    summaries(
      arrayLiteral(requests.map(({ accountId }) => accountId)),
      arrayLiteral(requests.map(({ date }) => date)),
      arrayLiteral(requests.map(({ now }) => now)),
    ),
  );
}

const dailyTotals = prepared(
  "list_daily_totals",
  `
  select ${jsonArray(jsonObject({ date: jsonText("e.date"), totals: ENTRY_TOTALS }), "e.date")} as json
  from entries e
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
