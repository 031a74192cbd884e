import type { Queryable } from "@nutrition/postgres/database";

import { nearestItems, searchItems } from "../domain/item-search.ts";
import type { ItemSelector } from "../domain/item-selector.ts";
import type { LiveItem } from "../domain/live-item.ts";
import type { WriteRefusal } from "../domain/write-refusal.ts";
import { findDeletedItem, findLiveItem, listLiveItems } from "../store/item-store.ts";

/**
 * The one live item of the account that the selector means, or the refusal that lists what may have
 * been meant. Another account's item is the same as none.
 */
export async function findItem(
  db: Queryable,
  accountId: string,
  selector: ItemSelector,
): Promise<{ item: LiveItem } | { refusal: WriteRefusal }> {
  if ("itemId" in selector) {
    const item = await findLiveItem(db, accountId, selector.itemId);
    return item ? { item } : { refusal: await itemNotFound(db, accountId, selector.itemId) };
  }
  const { date, query } = selector;
  const outcome = searchItems(query, await listLiveItems(db, accountId, date));
  if ("match" in outcome) return { item: outcome.match };
  if ("several" in outcome) return { refusal: ambiguous(outcome.several) };
  const message = `No item on ${date} matches item_query. Give the item_id of one of the candidates, or other words.`;
  return { refusal: { code: "item_not_found", message, candidates: outcome.nearest } };
}

/** The refusal for an id that is not live, with what stands on the day that it was on. */
export async function itemNotFound(
  db: Queryable,
  accountId: string,
  itemId: string,
): Promise<WriteRefusal> {
  const deleted = await findDeletedItem(db, accountId, itemId);
  const candidates = deleted
    ? nearestItems(deleted.description, await listLiveItems(db, accountId, deleted.date))
    : [];
  const message = "There is no such item any more. Read the ids again with list_food_entries.";
  return { code: "item_not_found", message, candidates };
}

function ambiguous(candidates: LiveItem[]): WriteRefusal {
  const message =
    "Several items match item_query. Give the item_id of the one that is meant, or all of its line.";
  return { code: "ambiguous_item", message, candidates };
}
