import type { Queryable } from "@nutrition/postgres/database";
import { prepared } from "@nutrition/postgres/sql";

import type { StoredDocument } from "./documents.ts";
import { entryDocuments, jsonArray, jsonObject } from "./documents.ts";

export interface EntryRange {
  /** First day; null for no bound. */
  startDate: string | null;
  /** Last day; null for no bound. */
  endDate: string | null;
  limit: number;
}

const entryList = prepared(
  "list_entries",
  `
  select ${jsonObject({
    entries: jsonArray("entry.document", "entry.date desc"),
    limit: "$4::int::text",
  })} as json,
    coalesce((select water_unit from settings where account_id = $1::uuid), 'ml') as "waterUnit"
  from (${entryDocuments(`
    select * from entries
    where account_id = $1::uuid and deleted_at is null
      and date >= coalesce($2::date, '-infinity') and date <= coalesce($3::date, 'infinity')
    order by date desc limit $4::int`)}
  ) entry`,
);

/** FoodEntriesResponse: the newest days of the range that have food, newest first. */
export async function listEntries(
  db: Queryable,
  accountId: string,
  { startDate, endDate, limit }: EntryRange,
): Promise<StoredDocument> {
  const [row] = await db.query<StoredDocument>(entryList(accountId, startDate, endDate, limit));
  return row as StoredDocument;
}
