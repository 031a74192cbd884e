import { z } from "zod";

import { NutritionTotals, SummaryGoals } from "./nutrition.ts";
import { date, id } from "./primitives.ts";

/** How much a limit still allows. */
const RemainingLimit = z.object({
  name: z.string(),
  max: z.int(),
  window_seconds: z.int(),
  remaining: z.int(),
});

/** The first members of every write's result. */
export const writeResult = {
  duplicate: z.boolean().describe("Whether an earlier call did it and this one changed nothing."),
  date: date.describe("The day that was written to."),
  timezone: z.string(),
  entry_id: id,
  limits: z
    .array(RemainingLimit)
    .optional()
    .describe("The nearest caps after the write; none where none applies."),
};

/** The day after the write. */
export const dayAfterWrite = {
  totals: NutritionTotals,
  goals: SummaryGoals.nullable(),
  /** What is left of the goals; negative if they are exceeded. */
  remaining: SummaryGoals.nullable(),
};

/** Common members of every write's result. */
const WriteResult = z.object({ ...writeResult, ...dayAfterWrite });
export type WriteResult = z.output<typeof WriteResult>;
