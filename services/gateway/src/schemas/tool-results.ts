import { z } from "zod";

import { FoodEntriesResponse, FoodItem, NutritionTotals, SummaryGoals } from "./nutrition.ts";
import { date, id } from "./primitives.ts";

/** A list of entries, cut short where it would not fit into a reply. */
export const FoodEntriesPage = FoodEntriesResponse.extend({
  /** The end_date that gets the entries that did not fit. */
  next_end_date: date.optional(),
});

const WRITE = {
  /** Whether an earlier call did it and this one changed nothing. */
  duplicate: z.boolean(),
  date,
  timezone: z.string(),
  entry_id: id,
};

/** The day after the write. */
const DAY = {
  totals: NutritionTotals,
  goals: SummaryGoals.nullable(),
  remaining: SummaryGoals.nullable(),
};

export const LogFoodResult = z.object({
  ...WRITE,
  date_interpreted_as: z.string().optional(),
  items: z.array(FoodItem),
  ...DAY,
});

/** Of an edit and of a merge: the one item that there is now. */
export const OneItemResult = z.object({ ...WRITE, item: FoodItem, ...DAY });

export const DeleteFoodItemResult = z.object({ ...WRITE, deleted_item_id: id, ...DAY });
