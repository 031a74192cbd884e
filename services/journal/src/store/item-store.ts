import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { preparedSql } from "@nutrition/postgres/sql";

import type { Estimate } from "../domain/estimate.ts";
import type { LiveItem } from "../domain/live-item.ts";
import { NUTRIENT_COLUMNS, NUTRIENT_SUMS, TYPED_NUTRIENTS } from "./nutrient-columns.ts";

interface ItemRow {
  id: string;
  entry_id: string;
  date: string;
  line_index: number;
  description: string;
  detailed_description: string | null;
  calories: number;
  version: number;
}

/** The account's live item with this id. */
export async function findLiveItem(
  db: Queryable,
  accountId: string,
  itemId: string,
): Promise<LiveItem | undefined> {
  const [row] = await db.query<ItemRow>(preparedSql("find_live_item")`
    select i.id, i.entry_id, e.date, i.line_index, i.description, i.detailed_description,
      i.calories, i.version
    from items i join entries e on e.id = i.entry_id
    where i.id = ${itemId} and i.account_id = ${accountId} and i.deleted_at is null`);
  return row && toLiveItem(row);
}

/** The live items of a day in line order. */
export async function listLiveItems(
  db: Queryable,
  accountId: string,
  date: string,
): Promise<LiveItem[]> {
  const rows = await db.query<ItemRow>(preparedSql("list_live_items")`
    select i.id, i.entry_id, e.date, i.line_index, i.description, i.detailed_description,
      i.calories, i.version
    from entries e join items i on i.entry_id = e.id
    where e.account_id = ${accountId} and e.date = ${date} and e.deleted_at is null
      and i.line_index is not null
    order by i.line_index`);
  return rows.map(toLiveItem);
}

/** Last position of a deleted item of the account. */
export async function findDeletedItem(
  db: Queryable,
  accountId: string,
  itemId: string,
): Promise<{ date: string; description: string } | undefined> {
  const [row] = await db.query<{ date: string; description: string }>(preparedSql(
    "find_deleted_item",
  )`
    select e.date, i.description from items i join entries e on e.id = i.entry_id
    where i.id = ${itemId} and i.account_id = ${accountId} and i.deleted_at is not null`);
  return row;
}

/** New content of an edited item. */
export interface ItemEdit {
  description: string;
  details: string | null;
  estimate: Estimate;
  /** Meal or time of day that the new line mentions; null keeps the earlier one. */
  occasion: string | null;
  /** Whether the edit includes a correction. */
  corrected: boolean;
}

/** Replaces an item's line and figures. Its id and position stay. */
export async function updateItem(
  tx: Transaction,
  itemId: string,
  { edit, now }: { edit: ItemEdit; now: Date },
): Promise<void> {
  const { description, details, estimate, occasion, corrected } = edit;
  const { nutrients } = estimate;
  await tx.query(preparedSql("update_item")`
    update items set
      description = ${description}, detailed_description = ${details},
      (${NUTRIENT_COLUMNS}) = (
        select ${NUTRIENT_COLUMNS}
        from json_to_record(${JSON.stringify(nutrients)}::json) as figures(${TYPED_NUTRIENTS})),
      is_water_entry = ${estimate.isWater},
      water_milliliters = ${estimate.waterMilliliters}, confidence_score = ${estimate.confidence},
      ai_comment = ${estimate.comment}, provenance = ${estimate.provenance},
      occasion = coalesce(${occasion}, occasion), corrected = ${corrected}, version = version + 1, updated_at = ${now}
    where id = ${itemId}`);
}

/**
 * Merges several items into one of them. Each figure is the exact sum, unknown only if all are
 * unknown; the confidence is the lowest, and the comment says how many items were merged. The other
 * items remain for `deleteItem`.
 */
export async function sumItems(
  tx: Transaction,
  itemId: string,
  merge: { itemIds: readonly string[]; description: string; details: string | null; now: Date },
): Promise<void> {
  await tx.query(preparedSql("sum_items")`
    update items set
      (${NUTRIENT_COLUMNS}, water_milliliters, is_water_entry, confidence_score, provenance,
        occasion)
      = (select ${NUTRIENT_SUMS}, sum(water_milliliters), bool_and(is_water_entry),
          min(confidence_score),
          case when count(distinct provenance) = 1 then min(provenance) else 'unknown' end,
          case when count(distinct coalesce(occasion, '')) = 1 then min(occasion) end
        from items where id = any(${merge.itemIds}::uuid[])),
      description = ${merge.description}, detailed_description = ${merge.details},
      ai_comment = ${`Merged from ${merge.itemIds.length} items.`},
      corrected = false, version = version + 1, updated_at = ${merge.now}
    where id = ${itemId}`);
}

/** Deletes an item from an entry whose day is locked, and closes the gap. */
export async function deleteItem(tx: Transaction, item: LiveItem, now: Date): Promise<void> {
  await Promise.all([
    tx.query(preparedSql("delete_item")`
      update items set
        deleted_at = ${now}, updated_at = ${now}, version = version + 1, line_index = null
      where id = ${item.id}`),
    tx.query(preparedSql("close_gap")`
      update items set line_index = line_index - 1
      where entry_id = ${item.entryId} and line_index > ${item.lineIndex}`),
  ]);
}

/** Marks an entry as updated, or as deleted when it has no live items left. */
export async function touchEntry(tx: Transaction, entryId: string, now: Date): Promise<void> {
  await tx.query(preparedSql("touch_entry")`
    update entries set
      updated_at = greatest(updated_at, ${now}::timestamptz),
      deleted_at = case when exists (
        select 1 from items where entry_id = ${entryId} and line_index is not null
      ) then null else ${now}::timestamptz end
    where id = ${entryId}`);
}

function toLiveItem(row: ItemRow): LiveItem {
  return {
    id: row.id,
    entryId: row.entry_id,
    date: row.date,
    lineIndex: row.line_index,
    description: row.description,
    details: row.detailed_description,
    calories: row.calories,
    version: row.version,
  };
}
