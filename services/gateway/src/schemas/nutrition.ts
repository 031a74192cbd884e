import type { Unit } from "@nutrition/core/nutrients";
import { DAILY_AMOUNTS, NUTRIENTS, byKey } from "@nutrition/core/nutrients";
import { z } from "zod";

import { component } from "./json-schema.ts";
import { date, id, nullableDateTime, nullableNumber, nullableText } from "./primitives.ts";

const UNIT_NAMES: Readonly<Record<Unit, string>> = {
  kcal: "kcal",
  g: "grams",
  mg: "milligrams",
  ml: "milliliters",
};

const goals = byKey(DAILY_AMOUNTS, ({ key, unit }) =>
  nullableNumber.describe(key === "calories" ? "kcal a day" : UNIT_NAMES[unit]),
);

/** Goals as in the profile. */
export const NutritionGoals = component(
  "NutritionGoals",
  z
    .object({
      daily_calorie_goal: nullableNumber.describe("kcal a day, the same value as calories"),
      ...goals,
    })
    .describe("Daily goals; null where none is set."),
);

/** Goals as the summary shows them: by nutrient key. */
export const SummaryGoals = component(
  "SummaryGoals",
  z.object(goals).describe("Daily goals by nutrient; null where none is set."),
);

export const NutritionTotals = component(
  "NutritionTotals",
  z
    .object({
      ...byKey(NUTRIENTS, ({ unit }) => z.number().describe(UNIT_NAMES[unit])),
      water_milliliters: z.number().describe("milliliters of plain water"),
    })
    .describe("Exact sums over the items; a missing nutrient counts as 0."),
);

export const FoodItem = component(
  "FoodItem",
  z
    .object({
      id: id.describe("Stays the same when the item is edited."),
      description: nullableText.describe("Visible line of the journal."),
      detailed_description: nullableText.describe("Longer context that the analysis used."),
      ...byKey(NUTRIENTS, ({ unit }) => nullableNumber.describe(UNIT_NAMES[unit])),
      calories: z.number().describe("kcal"),
      is_water_entry: z.boolean().describe("True only for plain water."),
      water_milliliters: z.number(),
      line_index: z.int().min(0).nullable().describe("Position of the line, from 0."),
      ai_comment: nullableText,
      confidence_score: nullableNumber.describe("0 to 1"),
      updated_at: nullableDateTime,
    })
    .describe("One line of a journal entry with its nutrition."),
);

export const FoodEntry = component(
  "FoodEntry",
  z
    .object({
      id,
      date,
      food_text: nullableText.optional().describe("The visible lines, one per item."),
      timezone: nullableText.optional(),
      totals: NutritionTotals,
      items: z.array(FoodItem),
      created_at: nullableDateTime.optional(),
      updated_at: nullableDateTime.optional(),
    })
    .describe("The journal of one day."),
);

export const NutritionSummaryResponse = component(
  "NutritionSummaryResponse",
  z
    .object({
      date,
      timezone: z.string().describe("IANA zone in which today is computed."),
      totals: NutritionTotals,
      goals: SummaryGoals.nullable(),
      entries: z.array(FoodEntry).describe("Entries that contributed to the totals."),
    })
    .describe("Totals, goals and entries of one day."),
);

export const FoodEntriesResponse = component(
  "FoodEntriesResponse",
  z
    .object({
      entries: z.array(FoodEntry).describe("Newest date first."),
      limit: z.int().describe("The limit that was applied."),
    })
    .describe("Journal entries with item-level nutrition."),
);
