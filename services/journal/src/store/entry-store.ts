import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { prepared, preparedSql } from "@nutrition/postgres/sql";

import type { Estimate } from "../domain/estimate.ts";
import { GOALS, LIVE_ITEMS, REMAINING, TOTALS, itemArray, jsonText } from "./documents.ts";
import { NUTRIENT_COLUMNS, TYPED_NUTRIENTS } from "./nutrient-columns.ts";

/**
 * Locks a day for one write until the transaction ends, and fails for an erased account. Must be
 * the first lock taken.
 */
export async function lockDay(tx: Transaction, accountId: string, date: string): Promise<void> {
  await tx.query(preparedSql("lock_day")`
    select refuse_erased(${accountId}),
      pg_advisory_xact_lock(hashtextextended(${`${accountId} ${date}`}, 0))`);
}

export interface NewEntry {
  id: string;
  accountId: string;
  date: string;
  timezone: string;
  now: Date;
}

/** Inserts the day's entry, or marks the existing one as updated. Returns its id. */
export async function upsertEntry(tx: Transaction, entry: NewEntry): Promise<string> {
  const [row] = await tx.query<{ id: string }>(preparedSql("upsert_entry")`
    insert into entries (id, account_id, date, timezone, created_at, updated_at)
    values (${entry.id}, ${entry.accountId}, ${entry.date}, ${entry.timezone}, ${entry.now},
      ${entry.now})
    on conflict (account_id, date) where deleted_at is null
      do update set updated_at = greatest(entries.updated_at, excluded.updated_at)
    returning id`);
  return (row as { id: string }).id;
}

export interface NewItem {
  id: string;
  description: string;
  details: string | null;
  estimate: Estimate;
  /** Meal or time of day that the text mentions; null for none. */
  occasion: string | null;
  /** Identifier in its source; only for imported items. */
  imported?: { source: string; externalId: string };
}

/**
 * Appends items to an entry whose day is locked. Figures are rounded here, once, to hundredths
 * (half away from zero), and appear in JSON as decimals rather than binary fractions. Returns the
 * entry's number of live lines.
 */
export async function appendItems(
  tx: Transaction,
  entry: { id: string; accountId: string; now: Date },
  items: readonly NewItem[],
): Promise<number> {
  const rows = await tx.query<{ line_index: number }>(preparedSql("append_items")`
    insert into items (
      id, entry_id, account_id, line_index, description, detailed_description,
      ${NUTRIENT_COLUMNS}, is_water_entry, water_milliliters, confidence_score,
      ai_comment, provenance, occasion, import_source, external_id, created_at, updated_at
    )
    select
      i.id, ${entry.id}, ${entry.accountId},
      (select count(*) from items where entry_id = ${entry.id} and line_index is not null)
        + i.position,
      i.description, i.details, ${NUTRIENT_COLUMNS},
      i.is_water, i.water_milliliters, i.confidence, i.comment, i.provenance, i.occasion,
      i.source, i.external_id, ${entry.now}, ${entry.now}
    from json_to_recordset(${JSON.stringify(items.map(toRecord))}::json) as i(
      id uuid, position int, description text, details text, ${TYPED_NUTRIENTS}, is_water boolean,
      water_milliliters numeric, confidence numeric, comment text, provenance text,
      occasion text, source text, external_id text
    )
    returning line_index`);
  return Math.max(...rows.map((row) => row.line_index)) + 1;
}

/** Number of live lines of a day. */
export async function countLiveItems(
  db: Queryable,
  accountId: string,
  date: string,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(preparedSql("count_live_items")`
    select count(*) as count from entries e join items i on i.entry_id = e.id
    where e.account_id = ${accountId} and e.date = ${date} and e.deleted_at is null
      and i.line_index is not null`);
  return (row as { count: number }).count;
}

function toRecord(
  { id, description, details, estimate, occasion, imported }: NewItem,
  position: number,
) {
  const { nutrients, isWater, waterMilliliters, confidence, comment, provenance } = estimate;
  return {
    id,
    position,
    description,
    details,
    ...nutrients,
    is_water: isWater,
    water_milliliters: waterMilliliters,
    confidence,
    comment,
    provenance,
    occasion,
    source: imported?.source,
    external_id: imported?.externalId,
  };
}

/** A day after a write; all members but the id are JSON text. */
export interface DayDocument {
  timezone: string;
  /** JSON array of the requested FoodItems. */
  items: string;
  totals: string;
  goals: string;
  remaining: string;
}

const dayDocument = prepared(
  "get_day_document",
  `
  select
    ${jsonText("coalesce(s.timezone, 'UTC')")} as timezone,
    ${itemArray("filter (where i.id = any($3::uuid[]))")} as items,
    ${TOTALS} as totals,
    ${GOALS} as goals,
    ${REMAINING} as remaining
  from entries e
  left join settings s on s.account_id = e.account_id
  left join lateral ${LIVE_ITEMS} on true
  where e.account_id = $1::uuid and e.id = $2::uuid
  group by s.account_id`,
);

/** The day of an entry, with the same figures as its summary. */
export async function getDayDocument(
  tx: Transaction,
  accountId: string,
  { entryId, itemIds }: { entryId: string; itemIds: readonly string[] },
): Promise<DayDocument> {
  const [row] = await tx.query<DayDocument>(dayDocument(accountId, entryId, itemIds));
  return row as DayDocument;
}
