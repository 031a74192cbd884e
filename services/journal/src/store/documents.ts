import type { DailyAmountKey } from "@nutrition/core/nutrients";
import { DAILY_AMOUNTS, NUTRIENT_KEYS } from "@nutrition/core/nutrients";

// SQL fragments that build the public interface's JSON documents in the database.

/** Formats a timestamp as RFC 3339 with milliseconds. */
export function utc(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** `created_at` and `updated_at` of a row as RFC 3339. */
export const CREATED_AND_UPDATED = `${utc("created_at")} as created_at, ${utc("updated_at")} as updated_at`;

/** `recorded_at` of a weight as RFC 3339. */
export const RECORDED_AT = `${utc("recorded_at")} as recorded_at`;

/** `updated_at` of a row as RFC 3339. */
export const UPDATED_AT = `${utc("updated_at")} as updated_at`;

/** Select list with the members of a FoodItem, from `items`. */
const FOOD_ITEM = `
  id, description, detailed_description,
  ${NUTRIENT_KEYS.map((key) => `trim_scale(${key}) as ${key}`).join(", ")},
  is_water_entry, trim_scale(water_milliliters) as water_milliliters, line_index, ai_comment,
  trim_scale(confidence_score) as confidence_score, ${UPDATED_AT}`;

/** An object with a member for each daily amount. */
function dailyAmounts(value: (key: DailyAmountKey) => string): string {
  return `json_build_object(${dailyMembers(value)})`;
}

function dailyMembers(value: (key: DailyAmountKey) => string): string {
  return DAILY_AMOUNTS.map(({ key }) => `'${key}', ${value(key)}`).join(", ");
}

function total(key: DailyAmountKey): string {
  return `coalesce(sum(i.${key}), 0)`;
}

function goal(key: DailyAmountKey): string {
  return `trim_scale(s.goal_${key})`;
}

/** NutritionTotals over the rows `i`, summed exactly. */
export const TOTALS = dailyAmounts((key) => `trim_scale(${total(key)})`);

/** NutritionTotals of a day without food. */
export const NO_TOTALS = dailyAmounts(() => "0");

const NO_GOALS = `num_nonnulls(${DAILY_AMOUNTS.map(({ key }) => `s.goal_${key}`).join(", ")}) = 0`;

/** Goals of the settings row `s` by nutrient; null without goals. */
export const GOALS = `case when ${NO_GOALS} then null else ${dailyAmounts(goal)} end`;

/** Goals of the settings row `s` as the profile shows them. */
export const PROFILE_GOALS = `json_build_object(
  'daily_calorie_goal', ${goal("calories")}, ${dailyMembers(goal)})`;

/** Goals of `s` minus the sums of the rows `i`; null without goals. */
export const REMAINING = `case when ${NO_GOALS} then null else ${dailyAmounts(
  (key) => `trim_scale(s.goal_${key} - ${total(key)})`,
)} end`;

/** The live items of the entry `e`, as `i`. */
export const LIVE_ITEMS = `(
  select ${FOOD_ITEM}
  from items where entry_id = e.id and line_index is not null
) i`;

/** Array of FoodItem of the rows `i`, in line order. */
export const ITEM_ARRAY = "json_agg(row_to_json(i) order by i.line_index)";

/** `totals` and FoodEntry `document` of each row that `entries` selects from the table. */
export function entryDocuments(entries: string): string {
  return `
    select e.date, c.totals, row_to_json(d) as document
    from (${entries}) e
    cross join lateral (
      select
        string_agg(i.description, e'\\n' order by i.line_index) as food_text,
        ${TOTALS} as totals,
        ${ITEM_ARRAY} as items
      from ${LIVE_ITEMS}
    ) c
    cross join lateral (
      select e.id, e.date, c.food_text, e.timezone, c.totals, c.items,
        ${CREATED_AND_UPDATED}
    ) d`;
}
