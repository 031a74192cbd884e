import { z } from "zod";

import { dateInput, limitInput } from "./primitives.ts";

/** Inputs of the reads, the same in REST and in tools. Messages complete "<name> takes". */
export const summaryInput = z.object({
  date: dateInput.optional().describe("Day to sum up; today in the user's timezone if left out."),
});

export const entriesInput = z
  .object({
    start_date: dateInput.optional().describe("First day, inclusive."),
    end_date: dateInput.optional().describe("Last day, inclusive."),
    limit: limitInput(90, 14).describe("Entries to return, newest first."),
  })
  .refine(({ start_date, end_date }) => !start_date || !end_date || start_date <= end_date, {
    path: ["start_date"],
    error: "a day that is not after end_date",
  });

export const weightsInput = z.object({
  limit: limitInput(365, 30).describe("Weights to return, newest first."),
});

/** A read without inputs. */
export const noInput = z.object({});
