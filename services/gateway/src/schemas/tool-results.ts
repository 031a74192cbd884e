import { z } from "zod";

import {
  FoodEntriesResponse,
  FoodEntry,
  FoodItem,
  NutritionTotals,
  SummaryGoals,
} from "./nutrition.ts";
import { date, id } from "./primitives.ts";

/** A list of days, cut short where it would not fit into a reply. */
export const FoodEntriesPage = FoodEntriesResponse.extend({
  /** `item_count` stands for items that were not asked for. */
  entries: z.array(FoodEntry.extend({ item_count: z.int().optional() })),
  /** The end_date that gets the days that did not fit. */
  next_end_date: date.optional(),
});

/** How much a cap that is in force still allows. */
const LimitLeft = z.object({
  name: z.string(),
  max: z.int(),
  window_seconds: z.int(),
  remaining: z.int(),
});

const WRITE = {
  /** Whether an earlier call did it and this one changed nothing. */
  duplicate: z.boolean(),
  date,
  timezone: z.string(),
  entry_id: id,
  /** The nearest caps as they were after the write; absent when none applied. */
  limits: z.array(LimitLeft).optional(),
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

/** Of an edit: the item as it is now. */
export const OneItemResult = z.object({ ...WRITE, item: FoodItem, ...DAY });

export const MergeFoodItemsResult = z.object({
  ...WRITE,
  item: FoodItem,
  /** The visible lines that became one. */
  merged_lines: z.array(z.string()),
  ...DAY,
});

export const DeleteFoodItemResult = z.object({
  ...WRITE,
  deleted_item_id: id,
  deleted_line: z.string(),
  ...DAY,
});
