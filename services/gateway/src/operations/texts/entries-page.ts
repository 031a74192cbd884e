import { z } from "zod";

import { countOf } from "@nutrition/core/count-of";
import { FoodEntriesResponse, FoodEntry } from "../../schemas/nutrition.ts";
import { date } from "../../schemas/primitives.ts";
import { formatEntry } from "./day.ts";

/** Maximum number of entries of one read. */
export const ENTRIES_MAX = 90;

/** A list of days, shortened to fit into a reply. */
export const FoodEntriesPage = FoodEntriesResponse.extend({
  /** `item_count` stands for items that were not requested. */
  entries: z.array(FoodEntry.extend({ item_count: z.int().optional() })),
  next_end_date: date.optional().describe("The end_date that returns the remaining days."),
});

const STRUCTURED_BYTES_MAX = 45_000;
const TEXT_BYTES_MAX = 30_000;
/** Ids and figures average two or three bytes per token, and some hosts refuse more than 25,000 tokens. */
const TOGETHER_BYTES_MAX = 60_000;
/** Size of the reply without days. */
const FRAME_BYTES = 400;

type Page = z.output<typeof FoodEntriesPage>;
type Day = Page["entries"][number];

/**
 * The reply to a call for `limit` days; `list` may have one more. Ends before the first day that would make
 * the reply too large, but always contains at least one.
 */
export function entriesPage(
  list: Page,
  { limit }: { limit: number },
): { document: Page; text: string } {
  const asked = list.entries.slice(0, limit);
  const fitting = countFitting(asked);
  const cutAt = asked[fitting]?.date;
  const next = cutAt === undefined ? {} : { next_end_date: cutAt };
  const document: Page = { entries: asked.slice(0, fitting), limit, ...next };
  return { document, text: formatEntries(document, list.entries[limit]?.date) };
}

/** Whether a reply has no room for the last of the days with their items. */
export function isFull(days: readonly Day[]): boolean {
  return countFitting(days) < days.length;
}

function countFitting(days: readonly Day[]): number {
  let structuredLeft = STRUCTURED_BYTES_MAX - FRAME_BYTES;
  let textLeft = TEXT_BYTES_MAX - FRAME_BYTES;
  const spared = STRUCTURED_BYTES_MAX + TEXT_BYTES_MAX - TOGETHER_BYTES_MAX;
  const end = days.findIndex((day, index) => {
    structuredLeft -= Buffer.byteLength(JSON.stringify(day)) + 1;
    textLeft -= Buffer.byteLength(formatEntry(day)) + 1;
    const left = Math.min(structuredLeft, textLeft, structuredLeft + textLeft - spared);
    return index > 0 && left < 0;
  });
  return end < 0 ? days.length : end;
}

/** Formats the days of a list, and how to get older ones. */
function formatEntries(page: Page, nextDate: string | undefined): string {
  const { entries, limit } = page;
  const days = `${countOf(entries.length, "day")} with food, newest first (limit ${limit}).`;
  if (entries.length === 0) return `No food is logged in this range (limit ${limit}).`;
  return [days, ...entries.map(formatEntry), ...formatNextPage(page, nextDate)].join("\n");
}

function formatNextPage(page: Page, nextDate: string | undefined): string[] {
  const { next_end_date: cutAt, entries, limit } = page;
  if (cutAt !== undefined) {
    return [`This reply is full, and the range has older days: call again with end_date ${cutAt}.`];
  }
  if (nextDate === undefined) {
    return entries.length === ENTRIES_MAX && limit === ENTRIES_MAX
      ? ["Older days may exist: call again with an end_date before the last one here."]
      : [];
  }
  return [`Older days with food exist: call again with end_date ${nextDate}.`];
}
