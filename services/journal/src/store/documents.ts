import type { DailyAmountKey } from "@nutrition/core/nutrients";
import { byKey, DAILY_AMOUNTS } from "@nutrition/core/nutrients";

// SQL fragments that build the public interface's JSON documents as compact text. json_build_object and
// similar functions look up the type of each argument in every row, which made summaries a third slower
// (docs/decisions/0032).

/** The person's display units of a food document, whose figures are milliliters and kilocalories. */
export interface FoodUnits {
  readonly waterUnit: string;
  readonly energyUnit: string;
}

/** A document about food. */
export interface StoredDocument extends FoodUnits {
  readonly json: string;
}

/** An object; each value is an expression of JSON text that is never null. */
export function jsonObject(members: Readonly<Record<string, string>>): string {
  const texts = Object.entries(members).map(([name, value]) => `"${name}":' || ${value}`);
  return `('{${texts.join(" || ',")} || '}')`;
}

/**
 * An array of the values of all rows, in the order of `orderBy` or else of the subquery that they come
 * from; `filter` may be an SQL filter clause.
 */
export function jsonArray(value: string, orderBy?: string, filter = ""): string {
  const order = orderBy === undefined ? "" : ` order by ${orderBy}`;
  return `('[' || coalesce(string_agg(${value}, ','${order}) ${filter}, '') || ']')`;
}

/** Text, a date or null as JSON text. */
export function jsonText(expression: string): string {
  return `coalesce(to_json(${expression})::text, 'null')`;
}

/** A number or null as JSON text, without zeros at the end. */
function jsonNumber(expression: string): string {
  return `coalesce(trim_scale(${expression})::text, 'null')`;
}

/** A timestamp as RFC 3339 in JSON text. */
function jsonTime(column: string): string {
  return `('"' || ${utc(column)} || '"')`;
}

function jsonUuid(column: string): string {
  return `('"' || ${column} || '"')`;
}

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

/** An object with a member for each daily amount. */
function dailyAmounts(value: (key: DailyAmountKey) => string): Record<DailyAmountKey, string> {
  return byKey(DAILY_AMOUNTS, ({ key }) => jsonNumber(value(key)));
}

function total(key: DailyAmountKey): string {
  return `coalesce(sum(i.${key}), 0)`;
}

function goal(key: DailyAmountKey): string {
  return `s.goal_${key}`;
}

/** NutritionTotals of the entry `e`. */
export const ENTRY_TOTALS = "coalesce(e.kept_totals, (entry_texts(e.id)).totals)";

/** FoodEntry of the entry `e`. */
export const ENTRY = "coalesce(e.kept_document, (entry_texts(e.id)).document)";

/** NutritionTotals over the rows `i`, summed exactly. */
export const TOTALS = jsonObject(dailyAmounts(total));

/** NutritionTotals of a day without food. */
export const NO_TOTALS = jsonObject(dailyAmounts(() => "0::numeric"));

function unlessNoGoals(amounts: Record<DailyAmountKey, string>): string {
  const noGoals = `num_nonnulls(${DAILY_AMOUNTS.map(({ key }) => goal(key)).join(", ")}) = 0`;
  return `case when ${noGoals} then 'null' else ${jsonObject(amounts)} end`;
}

/** Goals of the settings row `s` by nutrient; null without goals. */
export const GOALS = unlessNoGoals(dailyAmounts(goal));

/** Goals of the settings row `s` as the profile shows them. */
export const PROFILE_GOALS = jsonObject({
  daily_calorie_goal: jsonNumber(goal("calories")),
  ...dailyAmounts(goal),
});

/** Goals of `s` minus the sums of the rows `i`; null without goals. */
export const REMAINING = unlessNoGoals(dailyAmounts((key) => `${goal(key)} - ${total(key)}`));

/** The live items of the entry `e`, as `i`; each with its FoodItem as JSON text. */
export const LIVE_ITEMS = `(
  select *, coalesce(kept_text, food_item_text(items)) as food_item
  from items where entry_id = e.id and line_index is not null
) i`;

/** Array of FoodItem of the live items `i` that pass an SQL filter clause, in line order. */
export function itemArray(filter: string): string {
  return jsonArray("i.food_item", "i.line_index", filter);
}

/** FoodEntry of the entry `e` with `item_count` instead of the items and their text, which are not read. */
export const ENTRY_WITHOUT_ITEMS = jsonObject({
  id: jsonUuid("e.id"),
  date: jsonText("e.date"),
  timezone: jsonText("e.timezone"),
  totals: ENTRY_TOTALS,
  created_at: jsonTime("e.created_at"),
  updated_at: jsonTime("e.updated_at"),
  items: "'[]'",
  item_count: "(select count(*)::text from items where entry_id = e.id and line_index is not null)",
});
