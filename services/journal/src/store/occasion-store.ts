import type { Queryable } from "@nutrition/postgres/database";
import { prepared } from "@nutrition/postgres/sql";

const occasions = prepared(
  "list_occasions",
  `
  select coalesce(json_object_agg(i.id, i.occasion), '{}'::json) as occasions
  from entries e join items i on i.entry_id = e.id
  where e.account_id = $1::uuid and e.date = $2::date and e.deleted_at is null
    and i.line_index is not null and i.occasion is not null`,
);

/** Meals and times of day mentioned for the live items of a day, by item id. */
export async function listOccasions(
  db: Queryable,
  accountId: string,
  date: string,
): Promise<Record<string, string>> {
  const [row] = await db.query<{ occasions: Record<string, string> }>(occasions(accountId, date));
  return row?.occasions ?? {};
}
