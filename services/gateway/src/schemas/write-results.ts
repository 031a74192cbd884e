import { z } from "zod";

import { NutritionTotals, SummaryGoals } from "./nutrition.ts";
import { date, id } from "./primitives.ts";

/** How much an applicable cap still allows. */
const RemainingLimit = z.object({
  name: z.string(),
  max: z.int(),
  window_seconds: z.int(),
  remaining: z.int(),
});

/** What the result of every write says first. */
export const writeResult = {
  /** Whether an earlier call did it and this one changed nothing. */
  duplicate: z.boolean(),
  date,
  timezone: z.string(),
  entry_id: id,
  /** The nearest caps after the write; absent when none applied. */
  limits: z.array(RemainingLimit).optional(),
};

/** The day after the write. */
export const dayAfterWrite = {
  totals: NutritionTotals,
  goals: SummaryGoals.nullable(),
  remaining: SummaryGoals.nullable(),
};

/** Common members of every write's result. */
const WriteResult = z.object({ ...writeResult, ...dayAfterWrite });
export type WriteResult = z.output<typeof WriteResult>;
