import type { Queryable } from "@nutrition/postgres/database";

import { nearestItems, searchItems } from "../domain/item-search.ts";
import type { ItemSelector } from "../domain/item-selector.ts";
import type { LiveItem } from "../domain/live-item.ts";
import type { WriteRefusal } from "../domain/write-refusal.ts";
import { findDeletedItem, findLiveItem, listLiveItems } from "../store/item-store.ts";

/**
 * The only live item of the account that the selector means, or the refusal with candidates.
 * Another account's item counts as none.
 */
export async function findItem(
  db: Queryable,
  accountId: string,
  selector: ItemSelector,
): Promise<{ item: LiveItem } | { refusal: WriteRefusal }> {
  if ("itemId" in selector) {
    const item = await findLiveItem(db, accountId, selector.itemId);
    if (item) return { item };
    const { itemId, position } = selector.names;
    const input = `${itemId}${position}`;
    return { refusal: await itemNotFound(db, accountId, { itemId: selector.itemId, input }) };
  }
  const items = await listLiveItems(db, accountId, selector.date);
  const outcome = searchItems(selector.query, items);
  if ("match" in outcome) return { item: outcome.match };
  if ("several" in outcome) return { refusal: ambiguous(selector, outcome.several) };
  return { refusal: noMatch(selector, outcome.nearest) };
}

/** The refusal for an id that is not live, with the current items of its day. */
export async function itemNotFound(
  db: Queryable,
  accountId: string,
  { itemId, input = "the call" }: { itemId: string; input?: string },
): Promise<WriteRefusal> {
  const deleted = await findDeletedItem(db, accountId, itemId);
  const candidates = deleted
    ? nearestItems(deleted.description, await listLiveItems(db, accountId, deleted.date))
    : [];
  const what = deleted
    ? `The item that ${input} names, deleted_item, was deleted or merged before.`
    : `There is no item that ${input} names.`;
  const message = `${what} Nothing was changed. Read the ids again with list_food_entries.`;
  const deletedItem = deleted && { id: itemId, ...deleted };
  return { code: "item_not_found", message, candidates, ...(deletedItem && { deletedItem }) };
}

type Query = Extract<ItemSelector, { query: string }>;

function ambiguous({ names, date, query }: Query, candidates: LiveItem[]): WriteRefusal {
  const message = `${names.query}${names.position} matches ${candidates.length} items on ${date}, so nothing was changed. Find out which of the candidates is meant, asking the user if need be, and ${names.next}.`;
  return { code: "ambiguous_item", field: names.query, given: query, message, candidates };
}

function noMatch({ names, date, query }: Query, candidates: LiveItem[]): WriteRefusal {
  const advice =
    candidates.length === 0
      ? "That day has no items: check the date with list_food_entries."
      : `If one of the candidates is meant, ${names.next}.`;
  const message = `No item on ${date} contains all words of ${names.query}${names.position}, so nothing was changed. ${advice}`;
  return { code: "item_not_found", field: names.query, given: query, message, candidates };
}
