import type { CivilDate } from "@nutrition/core/civil-date";
import type { Queryable } from "@nutrition/postgres/database";
import { prepared } from "@nutrition/postgres/sql";

import type { StoredDocument } from "./documents.ts";
import { ENTRY, ENTRY_WITHOUT_ITEMS, jsonArray, jsonObject } from "./documents.ts";

export interface EntryRange {
  /** First day; null for no bound. */
  startDate: string | null;
  /** Last day; null for no bound. */
  endDate: string | null;
  limit: number;
  /** Ends the list after the day whose lines reach this number; null for no bound. */
  linesMax: number | null;
  withItems: boolean;
}

export interface EntryList extends StoredDocument {
  readonly count: number;
  /** The day after which `linesMax` ended the list; null if it did not. */
  readonly endedAt: CivilDate | null;
}

const IN_RANGE = `
  e.account_id = $1::uuid and e.deleted_at is null
    and e.date >= coalesce($2::date, '-infinity') and e.date <= coalesce($3::date, 'infinity')`;

/** Reads no more lines than the list may have, from an index. */
const LAST_DAY = `
  select min(date) as date from (
    select e.date from entries e
      join items i on i.entry_id = e.id and i.line_index is not null
    where ${IN_RANGE} and $5::int is not null order by e.date desc limit $5::int
  ) line
  having count(*) = $5::int`;

const [entryList, entryListWithoutItems] = [
  prepared("list_entries", listOf(ENTRY)),
  prepared("list_entries_without_items", listOf(ENTRY_WITHOUT_ITEMS)),
];

function listOf(document: string): string {
  const json = jsonObject({
    entries: jsonArray(document, "e.date desc"),
    limit: "$4::int::text",
  });
  return `
    with last_day as materialized (${LAST_DAY})
    select list.*, coalesce(s.water_unit, 'ml') as "waterUnit", coalesce(s.energy_unit, 'kcal') as "energyUnit"
    from (
      select ${json} as json, count(*)::int as count, (select date from last_day) as "endedAt"
      from (
        select e.* from entries e
        where ${IN_RANGE} and e.date >= coalesce((select date from last_day), '-infinity')
        order by e.date desc limit $4::int
      ) e
    ) list
    left join settings s on s.account_id = $1::uuid`;
}

/** FoodEntriesResponse: the newest days of the range that have food, newest first. */
export async function listEntries(
  db: Queryable,
  accountId: string,
  { startDate, endDate, limit, linesMax, withItems }: EntryRange,
): Promise<EntryList> {
  const statement = withItems ? entryList : entryListWithoutItems;
  const [row] = await db.query<EntryList>(
    statement(accountId, startDate, endDate, limit, linesMax),
  );
  return row as EntryList;
}
