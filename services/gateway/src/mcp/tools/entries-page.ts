import type { z } from "zod";

import type { FoodEntriesPage } from "../../schemas/tool-results.ts";
import { tellEntries, tellEntry } from "./day-texts.ts";
import type { PartialReply } from "./tool.ts";

const STRUCTURED_BYTES_MAX = 45_000;
const TEXT_BYTES_MAX = 30_000;
/** Ids and figures make a token of two or three bytes, and some hosts refuse more than 25,000. */
const TOGETHER_BYTES_MAX = 60_000;
/** What stands around the days. */
const FRAME_BYTES = 400;

type Page = z.output<typeof FoodEntriesPage>;
type Day = Page["entries"][number];

/**
 * The reply to a call for `limit` days, of which `list` may hold one more. It ends before the first
 * whole day that would make it too large, but never before the second.
 */
export function entriesPage(
  list: Page,
  { limit, include_items }: { limit: number; include_items: boolean },
): PartialReply {
  const asked = list.entries
    .slice(0, limit)
    .map((day) => (include_items ? day : withoutItems(day)));
  const fitting = countFitting(asked);
  const cutAt = asked[fitting]?.date;
  const next = cutAt === undefined ? {} : { next_end_date: cutAt };
  const document: Page = { entries: asked.slice(0, fitting), limit, ...next };
  return { document, text: tellEntries(document, list.entries[limit]?.date) };
}

function countFitting(days: readonly Day[]): number {
  let structuredLeft = STRUCTURED_BYTES_MAX - FRAME_BYTES;
  let textLeft = TEXT_BYTES_MAX - FRAME_BYTES;
  const spared = STRUCTURED_BYTES_MAX + TEXT_BYTES_MAX - TOGETHER_BYTES_MAX;
  const end = days.findIndex((day, index) => {
    structuredLeft -= Buffer.byteLength(JSON.stringify(day)) + 1;
    textLeft -= Buffer.byteLength(tellEntry(day)) + 1;
    const left = Math.min(structuredLeft, textLeft, structuredLeft + textLeft - spared);
    return index > 0 && left < 0;
  });
  return end < 0 ? days.length : end;
}

function withoutItems(day: Day): Day {
  const { food_text: _, items, ...others } = day;
  return { ...others, items: [], item_count: items.length };
}
