import { gtin14 } from "@nutrition/core/gtin";
import { NUTRIENT_KEYS } from "@nutrition/core/nutrients";
import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { prepared, sql, type Statement } from "@nutrition/postgres/sql";

import type { NewFood } from "../domain/foods/imported-food.ts";
import { brandWords, foldWords, headWords } from "../domain/text/food-words.ts";

const SHARED_COLUMNS = ["reference", "name", "words", ...NUTRIENT_KEYS, "portions"];
const GENERIC_COLUMNS = [...SHARED_COLUMNS, "source", "head", "alias_words"];
const BRANDED_COLUMNS = [...SHARED_COLUMNS, "brand", "brand_words", "gtin"];

/** Inserts or replaces the foods of a JSON array, removes them from the other table, and counts both. */
function preparePut(table: string, other: string, columns: readonly string[]) {
  const replaced = [...columns.slice(1), "digest"];
  return prepared(
    `put_${table}`,
    // Unchanged foods are left out before the insert, because a conflict would cost a write.
    `with new as (
       select food.*, md5(food::text) as hash
       from json_populate_recordset(null::${table}, $1::json) as food
     ), moved as (
       delete from ${other} where reference in (select reference from new)
     ), stored as (
       insert into ${table} (${columns.join(", ")}, digest)
       select ${columns.join(", ")}, hash from new
       where not exists (
         select from ${table} old where old.reference = new.reference and old.digest = new.hash
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
  };
}

/** Inserts foods with distinct references, or updates the rows that differ; returns the number of each. */
export async function storeFoods(tx: Transaction, foods: readonly NewFood[]) {
  const rows = Map.groupBy(foods.map(rowOf), ({ source }) => source === "branded");
  const [generic, branded] = [rows.get(false) ?? [], rows.get(true) ?? []];
  await tx.query(sql`
    insert into brands (words)
    select distinct words from unnest(${branded.map((food) => food.brand_words)}::text[])
      as new (words) where words <> ''
    order by words on conflict do nothing`);
  const put = (statement: Statement) => tx.query<{ inserted: number; updated: number }>(statement);
  const [one] = await put(PUT(JSON.stringify(generic)));
  const [other] = await put(PUT_BRANDED(JSON.stringify(branded)));
  return { inserted: one!.inserted + other!.inserted, updated: one!.updated + other!.updated };
}

/** Makes searches fast after an import; returns the number of rows of both tables. */
export async function finishImport(database: Queryable) {
  // Updates the planner's statistics, and merges the indexes' pending entries, which slow searches.
  await database.query(sql`vacuum (analyze) foods, branded_foods, brands`);
  const [counts] = await database.query<{ generic: number; branded: number }>(sql`
    select (select count(*) from foods)::int as generic,
      (select count(*) from branded_foods)::int as branded`);
  return { genericFoods: BigInt(counts!.generic), brandedFoods: BigInt(counts!.branded) };
}
