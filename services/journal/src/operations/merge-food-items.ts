import type { RequestContext } from "@nutrition/core/request-context";
import type { Queryable, Transaction } from "@nutrition/postgres/database";

import type { Actor } from "../domain/actor.ts";
import { fingerprintOf } from "../domain/fingerprint.ts";
import { mergeRefusal, mergedDetails, parseFoodMerge } from "../domain/food-merge.ts";
import type { FoodMerge, FoodMergeInput } from "../domain/food-merge.ts";
import { selectorTexts } from "../domain/item-selector.ts";
import type { LiveItem } from "../domain/live-item.ts";
import type { WriteRefusal } from "../domain/write-refusal.ts";
import { getDayDocument } from "../store/entry-store.ts";
import { deleteItem, listLiveItems, sumItems, touchEntry } from "../store/item-store.ts";
import type { CommittedWrite } from "./commit-write.ts";
import { findItem, itemNotFound } from "./find-item.ts";
import type { WriteDependencies, WriteOutcome } from "./guarded-write.ts";
import { idempotencyTtlMs } from "./idempotency-ttl.ts";

const TOOL = "merge_food_items";

/** Items of one entry, in line order. */
interface MergeTarget {
  date: string;
  entryId: string;
  itemIds: string[];
}

/** Merges several items of a day into one line, or returns a refusal. */
export async function mergeFoodItems(
  { clock, writes, duplicateWindowMs }: WriteDependencies,
  { actor, input }: { actor: Actor; input: FoodMergeInput },
  context: RequestContext,
): Promise<WriteOutcome> {
  const merge = parseFoodMerge(input);
  if ("code" in merge) return { refusal: merge };
  const { accountId } = actor;
  const { idempotencyKey } = input;
  const texts = [...merge.selectors.flatMap(selectorTexts), merge.line];
  return writes.run(
    {
      actor,
      tool: TOOL,
      fingerprint: fingerprintOf(TOOL, texts, idempotencyKey),
      idempotencyTtlMs: idempotencyTtlMs(idempotencyKey, duplicateWindowMs),
      queryDate: merge.date,
      createdLines: 0,
      find: (db) => findTarget(db, accountId, merge),
      prepare: async () => ({ prepared: undefined }),
      commit: (tx, target) =>
        mergeItems(tx, { accountId, target, line: merge.line, now: clock.now() }),
    },
    context,
  );
}

async function findTarget(
  db: Queryable,
  accountId: string,
  { selectors }: FoodMerge,
): Promise<{ target: MergeTarget } | { refusal: WriteRefusal }> {
  const items: LiveItem[] = [];
  for (const selector of selectors) {
    const found = await findItem(db, accountId, selector);
    if ("refusal" in found) return found;
    items.push(found.item);
  }
  items.sort((one, other) => one.lineIndex - other.lineIndex);
  const refusal = mergeRefusal(items);
  if (refusal) return { refusal };
  const { date, entryId } = items[0] as LiveItem;
  return { target: { date, entryId, itemIds: items.map((item) => item.id) } };
}

async function mergeItems(
  tx: Transaction,
  write: { accountId: string; target: MergeTarget; line: string; now: Date },
): Promise<CommittedWrite | { refusal: WriteRefusal }> {
  const { accountId, line, now } = write;
  const { date, entryId, itemIds } = write.target;
  const day = await listLiveItems(tx, accountId, date);
  const items = day.filter((item) => itemIds.includes(item.id));
  const gone = itemIds.find((id) => !items.some((item) => item.id === id));
  if (gone !== undefined) return { refusal: await itemNotFound(tx, accountId, { itemId: gone }) };
  const refusal = mergeRefusal(items);
  if (refusal) return { refusal };
  const before = await getDayDocument(tx, accountId, { entryId, itemIds });
  const [kept, ...others] = items as [LiveItem, ...LiveItem[]];
  const details = mergedDetails(items);
  await sumItems(tx, kept.id, { itemIds, description: line, details, now });
  // In descending order, so that a deletion does not shift the items still to be deleted.
  for (const item of others.toReversed()) await deleteItem(tx, item, now);
  await touchEntry(tx, entryId, now);
  const after = await getDayDocument(tx, accountId, { entryId, itemIds: [kept.id] });
  const result = {
    timezone: after.timezone,
    entry_id: JSON.stringify(entryId),
    item: after.items.slice(1, -1),
    merged_lines: JSON.stringify(items.map(({ description }) => description)),
    totals: after.totals,
    goals: after.goals,
    remaining: after.remaining,
  };
  return { entryId, itemIds, before: before.items, after: after.items, result };
}
