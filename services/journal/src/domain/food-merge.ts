import { characterCount } from "@nutrition/core/text";

import { exceededCallLimit } from "./call-limits.ts";
import { idempotencyKeyRefusal } from "./idempotency-key.ts";
import { parseItemSelector } from "./item-selector.ts";
import type { ItemSelector } from "./item-selector.ts";
import type { LiveItem } from "./live-item.ts";
import { parseVisibleLine } from "./visible-text.ts";
import { invalidInput } from "./write-refusal.ts";
import type { WriteRefusal } from "./write-refusal.ts";

/** Inputs of merge_food_items as received; `itemIds` take precedence over queries. */
export interface FoodMergeInput {
  itemIds: readonly string[];
  date: string | undefined;
  itemQueries: readonly string[];
  mergedText: string;
  idempotencyKey: string | undefined;
}

/** Valid inputs of merge_food_items. */
export interface FoodMerge {
  /** 2 to 8. */
  selectors: ItemSelector[];
  /** Day on which the items are selected by words; null when they are selected by id. */
  date: string | null;
  /** The visible line in NFC. */
  line: string;
}

/** Names of the inputs that select the item at `index`. */
function namesOf(index: number) {
  return {
    itemId: "item_ids",
    query: "item_queries",
    position: `[${index}]`,
    next: "call again with item_ids, the ids of all items to merge",
  };
}

/** Validates the inputs, or returns the refusal for the first invalid one. */
export function parseFoodMerge(input: FoodMergeInput): FoodMerge | WriteRefusal {
  const { itemIds, date, itemQueries, mergedText } = input;
  const isById = itemIds.length > 0;
  const count = isById ? itemIds.length : itemQueries.length;
  if (count < 2) {
    return invalidInput("item_ids", "Name 2 to 8 items by item_ids, or by date and item_queries.");
  }
  const keyRefusal = idempotencyKeyRefusal(input.idempotencyKey);
  if (keyRefusal) return keyRefusal;
  const visible = parseVisibleLine("merged_text", mergedText);
  if ("code" in visible) return visible;
  const counts = { merge_items: count, merged_text_characters: characterCount(visible.line) };
  const refusal = exceededCallLimit(counts);
  if (refusal) return refusal;
  const given = isById
    ? itemIds.map((itemId) => ({ itemId }))
    : itemQueries.map((query) => ({ date, query }));
  const selectors: ItemSelector[] = [];
  for (const [index, selector] of given.entries()) {
    const parsed = parseItemSelector(selector, namesOf(index));
    if ("code" in parsed) return parsed;
    selectors.push(parsed);
  }
  return { selectors, date: isById ? null : (date ?? null), line: visible.line };
}

/** The refusal for items that cannot be merged; undefined when they can. */
export function mergeRefusal(items: readonly LiveItem[]): WriteRefusal | undefined {
  if (new Set(items.map((item) => item.id)).size < items.length) {
    return invalidInput(
      "item_ids",
      "Each item must be named once: two of item_ids, or of item_queries, refer to the same item.",
    );
  }
  if (new Set(items.map((item) => item.entryId)).size > 1) {
    const message = "Only items of the same day can be merged. Merge each day's items separately.";
    return { code: "not_same_entry", message, candidates: items };
  }
  return undefined;
}

/** The details of the items in order, one per line, without duplicates and without a length limit. */
export function mergedDetails(items: readonly LiveItem[]): string | null {
  const details = items.map((item) => item.details).filter((text) => text !== null);
  return details.length === 0 ? null : [...new Set(details)].join("\n");
}
