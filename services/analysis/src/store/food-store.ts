import { gtin14 } from "@nutrition/core/gtin";
import { byKey, NUTRIENTS } from "@nutrition/core/nutrients";
import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { prepared, sql } from "@nutrition/postgres/sql";

import { digestOf } from "../domain/foods/imported-food.ts";
import type { NewFood } from "../domain/foods/imported-food.ts";
import { brandWords, foldWords, headWords } from "../domain/text/food-words.ts";

/** Number of rows that were new, and of those that were replaced. */
interface StoredCounts {
  inserted: number;
  updated: number;
}

/** Columns of both tables, with their types in a batch. */
const SHARED_COLUMNS = {
  reference: "text",
  name: "text",
  words: "text",
  ...byKey(NUTRIENTS, () => "float8"),
  portions: "jsonb",
  digest: "text",
};
const GENERIC_COLUMNS = { ...SHARED_COLUMNS, source: "text", head: "text", alias_words: "text" };
const BRANDED_COLUMNS = { ...SHARED_COLUMNS, brand: "text", brand_words: "text", gtin: "text" };

/** Inserts or replaces the foods of a JSON array, removes them from the other table, and counts both. */
function preparePut(table: string, other: string, columns: Readonly<Record<string, string>>) {
  const names = Object.keys(columns);
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  const replaced = names.filter((name) => name !== "reference");
  return prepared(
    `put_${table}`,
    // Unchanged foods are left out before the insert, because a conflict would cost a write.
    `with new as (
       select * from json_to_recordset($1::json) as new (${typed.join(", ")})
     ), moved as (
       delete from ${other} where reference in (select reference from new)
     ), stored as (
       insert into ${table} (${names.join(", ")})
       select ${names.join(", ")} from new
       where not exists (
         select from ${table} old where old.reference = new.reference and old.digest = new.digest
       )
       order by reference
       on conflict (reference) do update
       set ${replaced.map((name) => `${name} = excluded.${name}`).join(", ")}
       returning xmax = 0 as is_new
     )
     select count(*) filter (where is_new)::int as inserted,
       count(*) filter (where not is_new)::int as updated
     from stored`,
  );
}

const PUT = preparePut("foods", "branded_foods", GENERIC_COLUMNS);
const PUT_BRANDED = preparePut("branded_foods", "foods", BRANDED_COLUMNS);

/** The columns of both tables, with the words that searches find the food by. */
function rowOf(food: NewFood) {
  return {
    ...food,
    ...food.per100Grams,
    gtin: food.gtin === "" ? null : gtin14(food.gtin),
    words: foldWords(food.name),
    head: headWords(food.name),
    alias_words: foldWords(food.aliases.join(" ")),
    brand_words: brandWords(food.brand),
    digest: digestOf(food),
  };
}

/**
 * Inserts the foods, whose references are distinct, or replaces the rows of their references. An unchanged
 * food is left alone.
 */
export async function storeFoods(
  tx: Transaction,
  foods: readonly NewFood[],
): Promise<StoredCounts> {
  const rows = Map.groupBy(foods.map(rowOf), ({ source }) => source === "branded");
  const [generic, branded] = [rows.get(false) ?? [], rows.get(true) ?? []];
  const words = generic.flatMap((food) => `${food.words} ${food.alias_words}`.split(" "));
  await tx.query(sql`
    insert into food_words (word)
    select distinct word from unnest(${words}::text[]) as new (word) where word <> ''
    order by word on conflict do nothing`);
  await tx.query(sql`
    insert into brands (words)
    select distinct words from unnest(${branded.map((food) => food.brand_words)}::text[])
      as new (words) where words <> ''
    order by words on conflict do nothing`);
  const [one] = await tx.query<StoredCounts>(PUT(JSON.stringify(generic)));
  const [other] = await tx.query<StoredCounts>(PUT_BRANDED(JSON.stringify(branded)));
  return { inserted: one!.inserted + other!.inserted, updated: one!.updated + other!.updated };
}

/** Rows of both tables. */
export async function countFoods(database: Queryable) {
  const [counts] = await database.query<{ generic: number; branded: number }>(sql`
    select (select count(*) from foods)::int as generic,
      (select count(*) from branded_foods)::int as branded`);
  return counts!;
}

/** Updates the planner's statistics, and merges the indexes' pending entries, which slow searches. */
export async function vacuumFoods(database: Queryable): Promise<void> {
  await database.query(sql`vacuum (analyze) foods, food_words, branded_foods, brands`);
}
