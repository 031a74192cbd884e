import type { DailyAmountKey } from "@nutrition/core/nutrients";
import { DAILY_AMOUNTS, NUTRIENTS, byKey } from "@nutrition/core/nutrients";

import { DAY_EXAMPLE } from "./day-example.ts";

type Amounts = Readonly<Record<DailyAmountKey, number>>;

const { entry, goals, item } = DAY_EXAMPLE;
const EGGS = entry.totals;
const TOAST: Amounts = {
  calories: 75,
  protein: 2.7,
  carbs: 13.8,
  fat: 1,
  sugar: 1.6,
  fiber: 0.8,
  sodium: 134,
  water_milliliters: 0,
};
const NOTHING = byKey(DAILY_AMOUNTS, () => 0);

const rounded = (amount: number) => Math.round(amount * 100) / 100;
const withToast = byKey(DAILY_AMOUNTS, ({ key }) => rounded(EGGS[key] + TOAST[key]));
const threeEggs = byKey(DAILY_AMOUNTS, ({ key }) => rounded(EGGS[key] * 1.5));

/** The common members of a write's result, for a day with these totals. */
function written(totals: Amounts) {
  return {
    duplicate: false,
    date: entry.date,
    timezone: entry.timezone,
    entry_id: entry.id,
    limits: [{ name: "mutations-10-minutes", max: 12, window_seconds: 600, remaining: 11 }],
    totals,
    goals,
    remaining: byKey(DAILY_AMOUNTS, ({ key }) => rounded(goals[key] - totals[key])),
  };
}

/** An item with these figures. */
function itemOf(description: string, amounts: Amounts) {
  return { ...item, description, ...byKey(NUTRIENTS, ({ key }) => amounts[key]) };
}

/**
 * Calls of the writing tools, with their results. They select items by words, so they work in this order in
 * any journal that contains a slice of toast.
 */
export const WRITE_EXAMPLES = {
  log: {
    input: { food_text: "2 scrambled eggs", date: entry.date },
    output: { ...written(EGGS), items: [item] },
  },
  edit: {
    input: {
      date: entry.date,
      item_query: "scrambled eggs",
      replacement_text: "3 scrambled eggs",
    },
    output: {
      ...written(threeEggs),
      item: itemOf("3 scrambled eggs", threeEggs),
      previous_line: "2 scrambled eggs",
    },
  },
  merge: {
    input: {
      date: entry.date,
      item_queries: ["scrambled eggs", "toast"],
      merged_text: "Eggs on toast",
    },
    output: {
      ...written(withToast),
      item: itemOf("Eggs on toast", withToast),
      merged_lines: ["2 scrambled eggs", "1 slice of toast"],
    },
  },
  delete: {
    input: { date: entry.date, item_query: "eggs on toast" },
    output: { ...written(NOTHING), deleted_item_id: item.id, deleted_line: "Eggs on toast" },
  },
};
