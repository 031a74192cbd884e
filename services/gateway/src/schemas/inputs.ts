import { z } from "zod";

import { dateInput, limitInput } from "./primitives.ts";

const START_DATE = { path: ["start_date"], error: "a day that is not after end_date" };

// Inputs of the reads, in REST and in tools. Messages complete "<name> takes".

export const summaryInput = z.object({
  date: dateInput.optional().describe("Day to sum up; today in the user's timezone if left out."),
});

/** Entries that are read when nobody says how many. */
const ENTRIES_DEFAULT = 14;

const range = {
  start_date: dateInput.optional().describe("First day, inclusive."),
  end_date: dateInput.optional().describe("Last day, inclusive."),
};
/** Entries that one read returns at most. */
export const ENTRIES_MAX = 90;
const entriesLimit = limitInput(ENTRIES_MAX);

interface DateRange {
  start_date?: string | undefined;
  end_date?: string | undefined;
}

export const entriesInput = z
  .object({
    ...range,
    limit: entriesLimit.default(ENTRIES_DEFAULT).describe("Entries to return, newest first."),
  })
  .refine(startsBeforeItEnds, START_DATE);

/** The same for the tool, which can leave items out. */
export const entriesToolInput = z
  .object({
    ...range,
    limit: entriesLimit.default(ENTRIES_DEFAULT).describe("Days to return, newest first."),
    include_items: z
      .boolean({ error: "true or false" })
      .default(true)
      .describe("false for totals by day only, as for weeks, averages and trends."),
  })
  .refine(startsBeforeItEnds, START_DATE);

export const weightsInput = z.object({
  limit: limitInput(365).default(30).describe("Weights to return, newest first."),
});

/** A read without inputs. */
export const noInput = z.object({});

function startsBeforeItEnds({ start_date, end_date }: DateRange) {
  return !start_date || !end_date || start_date <= end_date;
}
