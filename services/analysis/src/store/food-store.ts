import { byKey, NUTRIENTS } from "@nutrition/core/nutrients";
import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { prepared, sql } from "@nutrition/postgres/sql";

import type { StoredFood } from "./stored-food.ts";

/** A generic food to store, with the words that searches find it by. */
export interface NewFood extends StoredFood {
  /** The name in folded words. */
  words: string;
  /** The words of the name that say what the food is. */
  head: string;
  /** Other names in folded words. */
  alias_words: string;
  /** Hash of everything stored; an equal one means that nothing has changed. */
  digest: string;
}

export interface NewBrandedFood extends Omit<NewFood, "head" | "alias_words"> {
  brand: string;
  brand_words: string;
}

/** Number of rows that were new, and of those that were replaced. */
export interface StoredCounts {
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

/** Inserts or replaces the foods of a JSON array, and counts both. */
function preparePut(table: string, columns: Readonly<Record<string, string>>) {
  const names = Object.keys(columns);
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  const replaced = names.filter((name) => name !== "reference");
  return prepared(
    `put_${table}`,
    // Unchanged foods are left out before the insert, because a conflict would cost a write.
    `with stored as (
       insert into ${table} (${names.join(", ")})
       select ${names.join(", ")} from json_to_recordset($1::json) as new (${typed.join(", ")})
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

const PUT = preparePut("foods", GENERIC_COLUMNS);
const PUT_BRANDED = preparePut("branded_foods", BRANDED_COLUMNS);

/** Stores generic foods; references are distinct. */
export async function putFoods(tx: Transaction, foods: readonly NewFood[]): Promise<StoredCounts> {
  const [counts] = await tx.query<StoredCounts>(PUT(JSON.stringify(foods)));
  return counts!;
}

/** Stores branded foods; references are distinct. */
export async function putBrandedFoods(
  tx: Transaction,
  foods: readonly NewBrandedFood[],
): Promise<StoredCounts> {
  const [counts] = await tx.query<StoredCounts>(PUT_BRANDED(JSON.stringify(foods)));
  return counts!;
}

/** Deletes the old rows of foods that changed from generic to branded or the other way round. */
export async function deleteMoved(
  tx: Transaction,
  { generic, branded }: { generic: readonly string[]; branded: readonly string[] },
): Promise<void> {
  await tx.query(sql`delete from branded_foods where reference = any(${generic}::text[])`);
  await tx.query(sql`delete from foods where reference = any(${branded}::text[])`);
}

/** Adds the texts that a table of distinct texts lacks. */
function prepareAdd(table: string, column: string) {
  return prepared(
    `add_${table}`,
    `insert into ${table} (${column})
     select text from unnest($1::text[]) as new (text)
     where not exists (select from ${table} old where old.${column} = new.text)
     order by text
     on conflict do nothing`,
  );
}

const ADD_WORDS = prepareAdd("food_words", "word");
const ADD_BRANDS = prepareAdd("brands", "words");

/** Stores the words of generic names. */
export async function putFoodWords(tx: Transaction, words: readonly string[]): Promise<void> {
  await tx.query(ADD_WORDS(words));
}

/** Stores brands by their words. */
export async function putBrands(tx: Transaction, brands: readonly string[]): Promise<void> {
  await tx.query(ADD_BRANDS(brands));
}

/** Rows of both tables. */
export async function countFoods(
  database: Queryable,
): Promise<{ generic: number; branded: number }> {
  const [counts] = await database.query<{ generic: number; branded: number }>(sql`
    select (select count(*) from foods)::int as generic,
      (select count(*) from branded_foods)::int as branded`);
  return counts!;
}

/** Updates the planner's statistics, and merges the indexes' pending entries, which slow searches. */
export async function vacuumFoods(database: Queryable): Promise<void> {
  await database.query(sql`vacuum (analyze) foods, food_words, branded_foods, brands`);
}
