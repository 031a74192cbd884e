import { tellWindow } from "@nutrition/core/duration";
import type { z } from "zod";

import type {
  DeleteFoodItemResult,
  LogFoodResult,
  MergeFoodItemsResult,
  OneItemResult,
} from "../../schemas/tool-results.ts";
import type { Site } from "../site.ts";
import { tellDay, tellItem, timeZoneHint } from "./day-texts.ts";

type Log = z.output<typeof LogFoodResult>;
/** What every write answers. */
type Written = Pick<
  Log,
  "date" | "timezone" | "totals" | "goals" | "remaining" | "limits" | "duplicate"
>;

const AGAIN = "To do it again on purpose, repeat the call with a new idempotency_key.";

/** What was logged, or that it had been. */
export function tellLogged(result: Log, site: Site): string {
  const { duplicate, date, date_interpreted_as, items } = result;
  const told =
    date_interpreted_as === undefined ? dayOf(result) : `${date} (${date_interpreted_as})`;
  const done = duplicate
    ? `Already logged on ${told} by an earlier call; nothing was added now. If it was eaten again, repeat the call with a new idempotency_key.`
    : `Logged on ${told}:`;
  return [done, ...items.map(tellItem), ...tellAfter(result, site)].join("\n");
}

/** The item as an edit left it. */
export function tellEdited(result: z.output<typeof OneItemResult>, site: Site): string {
  const done = doneOnce(`Changed on ${dayOf(result)}`, result.duplicate);
  return [done, tellItem(result.item), ...tellAfter(result, site)].join("\n");
}

/** The item that a merge made, and the lines that it was made of. */
export function tellMerged(result: z.output<typeof MergeFoodItemsResult>, site: Site): string {
  const lines = result.merged_lines.map((line) => `"${line}"`).join(", ");
  const done = doneOnce(`Merged on ${dayOf(result)}, from ${lines}`, result.duplicate);
  return [done, tellItem(result.item), ...tellAfter(result, site)].join("\n");
}

/** The line that is gone, and what is left of the day. */
export function tellDeleted(result: z.output<typeof DeleteFoodItemResult>, site: Site): string {
  const { deleted_line, deleted_item_id, duplicate } = result;
  const what = `Deleted from ${dayOf(result)}: "${deleted_line}" (item_id ${deleted_item_id})`;
  return [doneOnce(what, duplicate), ...tellAfter(result, site)].join("\n");
}

function dayOf({ date, timezone }: Written): string {
  return `${date} (${timezone})`;
}

function doneOnce(done: string, isDuplicate: boolean): string {
  if (!isDuplicate) return `${done}.`;
  return `An earlier call did this already; nothing was changed now. ${AGAIN} What it did: ${done}.`;
}

function tellAfter(result: Written, site: Site): string[] {
  return [...tellDay(result), ...tellLimits(result.limits), ...timeZoneHint(result.timezone, site)];
}

function tellLimits(limits: Written["limits"] = []): string[] {
  const told = limits.map(({ name, remaining, max, window_seconds }) => {
    const unit = name.startsWith("lines-") ? "food lines" : "writes";
    return `${remaining} of ${max} ${unit} in ${tellWindow(window_seconds)}`;
  });
  return told.length === 0 ? [] : [`Left before a limit: ${told.join(", ")}`];
}
