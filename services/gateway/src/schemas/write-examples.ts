import type { DailyAmountKey } from "@nutrition/core/nutrients";
import { DAILY_AMOUNTS, NUTRIENTS, byKey } from "@nutrition/core/nutrients";

import { DAY_EXAMPLE } from "./day-example.ts";

// Parts of the writing tools' examples. The examples select items by words and build on each other,
// so that they work in the order of `tools/list` in any journal that contains a slice of toast.

type Amounts = Readonly<Record<DailyAmountKey, number>>;

const { entry, goals, item } = DAY_EXAMPLE;
/** The day and the item of the examples. */
export const EXAMPLE = { date: entry.date, item };
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
const rounded = (amount: number) => Math.round(amount * 100) / 100;

export const NOTHING = byKey(DAILY_AMOUNTS, () => 0);
export const TWO_EGGS = entry.totals;
export const THREE_EGGS = byKey(DAILY_AMOUNTS, ({ key }) => rounded(TWO_EGGS[key] * 1.5));
export const EGGS_ON_TOAST = byKey(DAILY_AMOUNTS, ({ key }) => rounded(TWO_EGGS[key] + TOAST[key]));

/** The common members of a write's result, for a day with these totals. */
export function written(totals: Amounts) {
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
export function itemOf(description: string, amounts: Amounts) {
  return { ...item, description, ...byKey(NUTRIENTS, ({ key }) => amounts[key]) };
}
