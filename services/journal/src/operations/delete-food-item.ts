import type { RequestContext } from "@nutrition/core/request-context";
import type { Transaction } from "@nutrition/postgres/database";

import type { Actor } from "../domain/actor.ts";
import { fingerprintOf } from "../domain/fingerprint.ts";
import { idempotencyKeyRefusal } from "../domain/idempotency-key.ts";
import { parseItemSelector, selectorTexts } from "../domain/item-selector.ts";
import type { ItemSelectorInput } from "../domain/item-selector.ts";
import type { LiveItem } from "../domain/live-item.ts";
import type { WriteRefusal } from "../domain/write-refusal.ts";
import { getDayDocument } from "../store/entry-store.ts";
import { deleteItem, findLiveItem, touchEntry } from "../store/item-store.ts";
import type { CommittedWrite } from "./commit-write.ts";
import { findItem, itemNotFound } from "./find-item.ts";
import type { WriteDependencies, WriteOutcome } from "./guarded-write.ts";
import { idempotencyTtlMs } from "./idempotency-ttl.ts";

const TOOL = "delete_food_item";

export interface DeleteFoodItemInput {
  selector: ItemSelectorInput;
  idempotencyKey: string | undefined;
}

/** Deletes one item and its line, or refuses. */
export async function deleteFoodItem(
  { clock, writes, duplicateWindowMs }: WriteDependencies,
  { actor, input }: { actor: Actor; input: DeleteFoodItemInput },
  context: RequestContext,
): Promise<WriteOutcome> {
  const { idempotencyKey } = input;
  const keyRefusal = idempotencyKeyRefusal(idempotencyKey);
  if (keyRefusal) return { refusal: keyRefusal };
  const selector = parseItemSelector(input.selector);
  if ("code" in selector) return { refusal: selector };
  return writes.run(
    {
      actor,
      tool: TOOL,
      fingerprint: fingerprintOf(TOOL, selectorTexts(selector), idempotencyKey),
      idempotencyTtlMs: idempotencyTtlMs(idempotencyKey, duplicateWindowMs),
      queryDate: "date" in selector ? selector.date : null,
      createdLines: 0,
      find: async (db) => {
        const found = await findItem(db, actor.accountId, selector);
        return "refusal" in found ? found : { target: found.item };
      },
      prepare: async () => ({ prepared: undefined }),
      commit: (tx, item) => removeItem(tx, { accountId: actor.accountId, item, now: clock.now() }),
    },
    context,
  );
}

async function removeItem(
  tx: Transaction,
  { accountId, item: { id, entryId }, now }: { accountId: string; item: LiveItem; now: Date },
): Promise<CommittedWrite | { refusal: WriteRefusal }> {
  const [item, before] = await Promise.all([
    findLiveItem(tx, accountId, id),
    getDayDocument(tx, accountId, { entryId, itemIds: [id] }),
  ]);
  if (!item) return { refusal: await itemNotFound(tx, accountId, { itemId: id }) };
  const [, , after] = await Promise.all([
    deleteItem(tx, item, now),
    touchEntry(tx, entryId, now),
    getDayDocument(tx, accountId, { entryId, itemIds: [] }),
  ]);
  const result = {
    timezone: after.timezone,
    entry_id: JSON.stringify(entryId),
    deleted_item_id: JSON.stringify(id),
    deleted_line: JSON.stringify(item.description),
    totals: after.totals,
    goals: after.goals,
    remaining: after.remaining,
  };
  return { entryId, itemIds: [id], before: before.items, after: "[]", result };
}
