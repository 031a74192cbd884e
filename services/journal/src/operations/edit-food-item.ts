import type { RequestContext } from "@nutrition/core/request-context";
import type { Queryable, Transaction } from "@nutrition/postgres/database";

import type { Actor } from "../domain/actor.ts";
import { fingerprintOf } from "../domain/fingerprint.ts";
import { editTextRefusal, parseFoodEdit } from "../domain/food-edit.ts";
import type { FoodEdit, FoodEditInput } from "../domain/food-edit.ts";
import { selectorTexts } from "../domain/item-selector.ts";
import type { LiveItem } from "../domain/live-item.ts";
import type { RefusedWrite, WriteRefusal } from "../domain/write-refusal.ts";
import { getDayDocument } from "../store/entry-store.ts";
import { findLiveItem, touchEntry, updateItem } from "../store/item-store.ts";
import type { ItemEdit } from "../store/item-store.ts";
import { getWriterSettings } from "../store/settings-store.ts";
import type { CommittedWrite } from "./commit-write.ts";
import { estimateLines } from "./estimate-lines.ts";
import { findItem, itemNotFound } from "./find-item.ts";
import type { WriteDependencies, WriteOutcome } from "./guarded-write.ts";
import { idempotencyTtlMs } from "./idempotency-ttl.ts";

const TOOL = "edit_food_item";

/** Replaces one item's line and figures after a new analysis, or returns a refusal. */
export async function editFoodItem(
  dependencies: WriteDependencies,
  { actor, input }: { actor: Actor; input: FoodEditInput },
  context: RequestContext,
): Promise<WriteOutcome> {
  const edit = parseFoodEdit(input);
  if ("code" in edit) return { refusal: edit };
  const { selector } = edit;
  const { accountId } = actor;
  const { clock, writes, duplicateWindowMs } = dependencies;
  return writes.run(
    {
      actor,
      tool: TOOL,
      fingerprint: fingerprint(edit, input.idempotencyKey),
      idempotencyTtlMs: idempotencyTtlMs(input.idempotencyKey, duplicateWindowMs),
      queryDate: "date" in selector ? selector.date : null,
      createdLines: 0,
      find: (db, previous?: LiveItem) => {
        const again = previous && { names: selector.names, itemId: previous.id };
        return findEditable(db, accountId, { edit, selector: again ?? selector });
      },
      prepare: (item, detached) => analyse(dependencies, { accountId, edit, item }, detached),
      commit: (tx, item, replacement) =>
        replaceItem(tx, { accountId, item, edit: replacement, now: clock.now() }),
    },
    context,
  );
}

function fingerprint({ selector, line, correction, details }: FoodEdit, key: string | undefined) {
  const texts = [...selectorTexts(selector), line, correction, details];
  return fingerprintOf(TOOL, texts, key);
}

async function findEditable(
  db: Queryable,
  accountId: string,
  { edit, selector }: { edit: FoodEdit; selector: FoodEdit["selector"] },
): Promise<{ target: LiveItem } | { refusal: WriteRefusal }> {
  const found = await findItem(db, accountId, selector);
  if ("refusal" in found) return found;
  const refusal = editTextRefusal(edit, detailsAfter(edit, found.item));
  return refusal ? { refusal } : { target: found.item };
}

function detailsAfter(edit: FoodEdit, item: LiveItem): string | null {
  return edit.details === undefined ? item.details : edit.details;
}

async function analyse(
  dependencies: WriteDependencies,
  { accountId, edit, item }: { accountId: string; edit: FoodEdit; item: LiveItem },
  context: RequestContext,
): Promise<{ prepared: ItemEdit } | RefusedWrite> {
  const { shares, clock } = dependencies;
  const db = shares.quick.reading(accountId, context.signal);
  const { bias } = await getWriterSettings(db, accountId, clock.now());
  const { line, correction } = edit;
  const details = detailsAfter(edit, item);
  const texts = { lines: [line], details, correction };
  const about = { accountId, bias, field: "replacement_text", advice: "Nothing was changed." };
  const estimated = await estimateLines(dependencies, { ...texts, ...about }, context);
  if ("refusal" in estimated) return estimated;
  const [answered] = estimated.prepared;
  if (!answered) throw new Error("The analysis returned no line.");
  return {
    prepared: {
      description: line,
      details,
      estimate: answered.estimate,
      occasion: answered.occasion,
      corrected: correction !== null,
    },
  };
}

async function replaceItem(
  tx: Transaction,
  write: { accountId: string; item: LiveItem; edit: ItemEdit; now: Date },
): Promise<CommittedWrite | { refusal: WriteRefusal }> {
  const { accountId, edit, now } = write;
  const { id, entryId, version } = write.item;
  const asked = { entryId, itemIds: [id] };
  const [current, before] = await Promise.all([
    findLiveItem(tx, accountId, id),
    getDayDocument(tx, accountId, asked),
  ]);
  if (!current) return { refusal: await itemNotFound(tx, accountId, { itemId: id }) };
  if (current.version !== version) return { refusal: itemChanged(before.items) };
  const [, , after] = await Promise.all([
    updateItem(tx, id, { edit, now }),
    touchEntry(tx, entryId, now),
    getDayDocument(tx, accountId, asked),
  ]);
  const result = {
    timezone: after.timezone,
    entry_id: JSON.stringify(entryId),
    item: onlyElement(after.items),
    previous_line: JSON.stringify(current.description),
    totals: after.totals,
    goals: after.goals,
    remaining: after.remaining,
  };
  return { entryId, itemIds: [id], before: before.items, after: after.items, result };
}

function itemChanged(items: string): WriteRefusal {
  const message =
    "Another call changed the item in the meantime. Look at its current state, and repeat the edit if it is still wanted.";
  return { code: "item_changed", message, currentItem: onlyElement(items) };
}

/** The only element of a JSON array. */
function onlyElement(array: string): string {
  return array.slice(1, -1);
}
