import { DAILY_AMOUNTS, NUTRIENT_KEYS } from "@nutrition/core/nutrients";
import { fragment } from "@nutrition/postgres/sql";

// Column lists, built once from the registry of nutrients.

/** Columns of `items` with the nutrients of a food. */
export const NUTRIENT_COLUMNS = fragment(NUTRIENT_KEYS.join(", "));

/** The same columns with types, for rows passed as JSON. */
export const TYPED_NUTRIENTS = fragment(NUTRIENT_KEYS.map((key) => `${key} numeric`).join(", "));

/** The sum of each over the selected items; null where all are unknown. */
export const NUTRIENT_SUMS = fragment(NUTRIENT_KEYS.map((key) => `sum(${key})`).join(", "));

/** Columns of `settings` with the daily goals. */
export const GOAL_COLUMNS = fragment(DAILY_AMOUNTS.map(({ key }) => `goal_${key}`).join(", "));

/** The same columns of the changed row `c`. */
export const CHANGED_GOALS = fragment(DAILY_AMOUNTS.map(({ key }) => `c.goal_${key}`).join(", "));
