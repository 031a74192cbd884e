import type { DailyAmountKey } from "@nutrition/core/nutrients";
import { DAILY_AMOUNTS, NUTRIENTS, byKey } from "@nutrition/core/nutrients";

/** The day's total and the goal of each. */
const AMOUNTS: Readonly<Record<DailyAmountKey, readonly [total: number, goal: number]>> = {
  calories: [182.24, 2_000],
  protein: [12.16, 110],
  carbs: [2.04, 220],
  fat: [13.42, 70],
  sugar: [1.7, 50],
  fiber: [0, 30],
  sodium: [176.6, 2_300],
  water_milliliters: [0, 2_000],
};

const TOTALS = byKey(DAILY_AMOUNTS, ({ key }) => AMOUNTS[key][0]);
const GOALS = byKey(DAILY_AMOUNTS, ({ key }) => AMOUNTS[key][1]);

const ITEM = {
  id: "0199f0c2-7b1e-7cc3-9c55-0d3c1c1f6a02",
  description: "2 scrambled eggs",
  detailed_description: null,
  ...byKey(NUTRIENTS, ({ key }) => TOTALS[key]),
  is_water_entry: false,
  water_milliliters: 0,
  line_index: 0,
  ai_comment: "Two large eggs, scrambled with milk.",
  confidence_score: 0.86,
  updated_at: "2026-11-21T07:12:31.402Z",
};

const ENTRY = {
  id: "0199f0c2-7b1e-7cc3-9c55-0d3c1c1f6a01",
  date: "2026-11-21",
  food_text: "2 scrambled eggs",
  timezone: "Europe/Berlin",
  totals: TOTALS,
  items: [ITEM],
  created_at: "2026-11-21T07:12:31.402Z",
  updated_at: "2026-11-21T07:12:31.402Z",
};

/** A day in the examples of the reference. */
export const DAY_EXAMPLE = { goals: GOALS, item: ITEM, entry: ENTRY };
