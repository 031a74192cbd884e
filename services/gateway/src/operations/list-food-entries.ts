import { z } from "zod";

import { DAY_EXAMPLE } from "../schemas/day-example.ts";
import { FoodEntriesResponse } from "../schemas/nutrition.ts";
import { dateInput, limitInput } from "../schemas/primitives.ts";
import type { Operation, Services } from "./operation.ts";
import { defineRead, readTool } from "./operation.ts";
import { ENTRIES_MAX, FoodEntriesPage, entriesPage, isFull } from "./texts/entries-page.ts";
import { readEntryList } from "../clients/entry-list.ts";
import type { JournalDocument, Reader } from "../clients/journal-client.ts";

const START_DATE = { path: ["start_date"], error: "a day that is not after end_date" };

/** Number of entries by default. */
const ENTRIES_DEFAULT = 14;
/**
 * Lines that are read in one step (docs/decisions/0040). For REST, 150 to 300 kB; for tools, enough to fill a
 * reply; of days whose totals alone are read, more, because they cost a tenth as much.
 */
const LINES_A_STEP = { rest: 400, tool: 150, totals: 2_000 };

const entriesLimit = limitInput(ENTRIES_MAX).default(ENTRIES_DEFAULT);
const range = {
  start_date: dateInput.optional().describe("First day, inclusive."),
  end_date: dateInput.optional().describe("Last day, inclusive."),
};

const entriesInput = z
  .object({ ...range, limit: entriesLimit.describe("Entries to return, newest first.") })
  .refine(startsBeforeItEnds, START_DATE);

/** The same for the tool, which can omit items. */
const entriesToolInput = z
  .object({
    ...range,
    limit: entriesLimit.describe("Days to return, newest first."),
    include_items: z
      .boolean({ error: "true or false" })
      .default(true)
      .describe("false for totals by day only, as for weeks, averages and trends."),
  })
  .refine(startsBeforeItEnds, START_DATE);

interface DateRange {
  start_date?: string | undefined;
  end_date?: string | undefined;
}

type Entries = z.output<typeof FoodEntriesResponse>;

export const entriesExample = { entries: [DAY_EXAMPLE.entry], limit: ENTRIES_DEFAULT };

export const listFoodEntries: Operation = {
  ...defineRead({
    input: entriesInput,
    output: FoodEntriesResponse,
    fetch: fetchEntries,
    rest: {
      path: "/food-entries",
      operationId: "listFoodEntries",
      summary: "Journal entries",
      description: "Recent journal entries with item-level nutrition, newest date first.",
      example: entriesExample,
    },
  }),
  tool: readTool({
    name: "list_food_entries",
    card: "days",
    title: "List food entries",
    summary: "recent days with their items, or their totals alone",
    description:
      "Journal days, newest first; days without food are left out. For what was eaten on several days, and for current item ids: read again after a write before you reuse an older id. For totals, averages and trends of a week or more give include_items: false: each day then has totals and item_count only. A full reply stops after a whole day; next_end_date is the end_date that gets the next ones.",
    input: entriesToolInput,
    output: FoodEntriesPage,
    example: { input: { limit: ENTRIES_DEFAULT }, output: entriesExample },
    fetch: fetchPage,
    format: (list, { input }) => entriesPage(list, input),
  }),
};

function fetchEntries(
  { journal }: Services,
  reader: Reader,
  { limit, ...range }: z.output<typeof entriesInput>,
): Promise<JournalDocument> {
  return readEntryList(journal, reader, { ...boundsOf(range), limit, linesMax: LINES_A_STEP.rest });
}

/**
 * Reads the days of a reply, and one more that reveals whether there are older ones. It stops when the
 * reply is full: 90 long days are twenty times what a reply has room for.
 */
function fetchPage(
  { journal }: Services,
  reader: Reader,
  { limit, include_items, ...range }: z.output<typeof entriesToolInput>,
): Promise<JournalDocument> {
  const asked = { ...boundsOf(range), limit: Math.min(limit + 1, ENTRIES_MAX) };
  if (!include_items) {
    // A reply has room for the totals of all days.
    const request = { ...asked, linesMax: LINES_A_STEP.totals, withoutItems: true };
    return readEntryList(journal, reader, request);
  }
  const entries: Entries["entries"] = [];
  return readEntryList(journal, reader, { ...asked, linesMax: LINES_A_STEP.tool }, (step) => {
    entries.push(...(JSON.parse(Buffer.from(step).toString()) as Entries).entries);
    return isFull(entries);
  });
}

function boundsOf({ start_date: startDate = "", end_date: endDate = "" }: DateRange) {
  return { startDate, endDate };
}

function startsBeforeItEnds({ start_date, end_date }: DateRange) {
  return !start_date || !end_date || start_date <= end_date;
}
