// SQL fragments that build the public interface's JSON documents in the database.

/** Formats a moment as RFC 3339 with milliseconds. */
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
  id, description, detailed_description, trim_scale(calories) as calories,
  trim_scale(protein) as protein, trim_scale(carbs) as carbs, trim_scale(fat) as fat,
  trim_scale(sugar) as sugar, trim_scale(fiber) as fiber, trim_scale(sodium) as sodium,
  is_water_entry, trim_scale(water_milliliters) as water_milliliters, line_index, ai_comment,
  trim_scale(confidence_score) as confidence_score, ${UPDATED_AT}`;

const NUTRIENTS = [
  "calories",
  "protein",
  "carbs",
  "fat",
  "sugar",
  "fiber",
  "sodium",
  "water_milliliters",
] as const;

/** An object with a member for each of the eight nutrients. */
function nutrientObject(value: (nutrient: string) => string): string {
  const members = NUTRIENTS.map((nutrient) => `'${nutrient}', ${value(nutrient)}`);
  return `json_build_object(${members.join(", ")})`;
}

function total(nutrient: string): string {
  return `coalesce(sum(i.${nutrient}), 0)`;
}

/** NutritionTotals over the rows `i`, summed exactly. */
export const TOTALS = nutrientObject((nutrient) => `trim_scale(${total(nutrient)})`);

/** NutritionTotals of a day without food. */
export const NO_TOTALS = nutrientObject(() => "0");

const NO_GOALS = `num_nonnulls(${NUTRIENTS.map((nutrient) => `s.goal_${nutrient}`).join(", ")}) = 0`;

/** Goals of the settings row `s` by nutrient; null without goals. */
export const GOALS = `case when ${NO_GOALS} then null else ${nutrientObject(
  (nutrient) => `trim_scale(s.goal_${nutrient})`,
)} end`;

/** Goals of `s` minus the sums of the rows `i`; null without goals. */
export const REMAINING = `case when ${NO_GOALS} then null else ${nutrientObject(
  (nutrient) => `trim_scale(s.goal_${nutrient} - ${total(nutrient)})`,
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
