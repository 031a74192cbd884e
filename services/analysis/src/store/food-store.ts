import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { prepared, sql } from "@nutrition/postgres/sql";

import type { StoredFood } from "./stored-food.ts";

/** A food to store, with what it is found by. */
export interface NewFood extends StoredFood {
  /** The name in folded words. */
  words: string;
  /** Those of them that say what it is. */
  head: string;
  /** Other names in folded words. */
  aliasWords: string;
  /** Of everything stored, so that equal foods are known as such. */
  digest: string;
}

/** A food of a brand to store. */
export interface NewBrandedFood extends Omit<NewFood, "head" | "aliasWords"> {
  brand: string;
  brandWords: string;
}

/** How many rows were new, and how many were replaced. */
export interface StoredCounts {
  inserted: number;
  updated: number;
}

const COLUMNS =
  "reference, name, words, calories, protein, carbs, fat, sugar, fiber, sodium, portions, digest";
const TYPES = `reference text, name text, words text, calories float8, protein float8,
  carbs float8, fat float8, sugar float8, fiber float8, sodium float8, portions jsonb, digest text`;
const REPLACED = COLUMNS.split(", ")
  .slice(1)
  .map((column) => `${column} = excluded.${column}`)
  .join(", ");
const COUNTS = `
  select count(*) filter (where is_new)::int as inserted,
    count(*) filter (where not is_new)::int as updated
  from stored`;

// What is stored already is left out before the insert: a conflict would cost a write.
const PUT = prepared(
  "put_foods",
  `with stored as (
     insert into foods (source, head, alias_words, ${COLUMNS})
     select source, head, "aliasWords", ${COLUMNS}
     from json_to_recordset($1::json) as new (source text, head text, "aliasWords" text, ${TYPES})
     where not exists (
       select from foods old where old.reference = new.reference and old.digest = new.digest
     )
     order by reference
     on conflict (reference) do update
     set source = excluded.source, head = excluded.head, alias_words = excluded.alias_words,
       ${REPLACED}
     returning xmax = 0 as is_new
   )${COUNTS}`,
);

const PUT_BRANDED = prepared(
  "put_branded_foods",
  `with stored as (
     insert into branded_foods (brand, brand_words, gtin, ${COLUMNS})
     select brand, "brandWords", gtin, ${COLUMNS}
     from json_to_recordset($1::json)
       as new (brand text, "brandWords" text, gtin text, ${TYPES})
     where not exists (
       select from branded_foods old where old.reference = new.reference and old.digest = new.digest
     )
     order by reference
     on conflict (reference) do update
     set brand = excluded.brand, brand_words = excluded.brand_words, gtin = excluded.gtin, ${REPLACED}
     returning xmax = 0 as is_new
   )${COUNTS}`,
);

/** Stores generic foods; references are distinct. */
export async function putFoods(tx: Transaction, foods: readonly NewFood[]): Promise<StoredCounts> {
  const [counts] = await tx.query<StoredCounts>(PUT(JSON.stringify(foods)));
  return counts!;
}

/** Stores foods of brands; references are distinct. */
export async function putBrandedFoods(
  tx: Transaction,
  foods: readonly NewBrandedFood[],
): Promise<StoredCounts> {
  const [counts] = await tx.query<StoredCounts>(PUT_BRANDED(JSON.stringify(foods)));
  return counts!;
}

/** Deletes generic foods that are branded ones now, and the other way round. */
export async function deleteMoved(
  tx: Transaction,
  { generic, branded }: { generic: readonly string[]; branded: readonly string[] },
): Promise<void> {
  await tx.query(sql`delete from branded_foods where reference = any(${generic}::text[])`);
  await tx.query(sql`delete from foods where reference = any(${branded}::text[])`);
}

const PUT_WORDS = prepared(
  "put_food_words",
  `insert into food_words (word)
   select word from unnest($1::text[]) as new (word)
   where not exists (select from food_words old where old.word = new.word)
   order by word
   on conflict do nothing`,
);

/** Stores the words of generic names. */
export async function putFoodWords(tx: Transaction, words: readonly string[]): Promise<void> {
  await tx.query(PUT_WORDS(words));
}

const PUT_BRANDS = prepared(
  "put_brands",
  `insert into brands (words)
   select words from unnest($1::text[]) as new (words)
   where not exists (select from brands old where old.words = new.words)
   order by words
   on conflict do nothing`,
);

/** Stores brands by their words. */
export async function putBrands(tx: Transaction, brands: readonly string[]): Promise<void> {
  await tx.query(PUT_BRANDS(brands));
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

/** Refreshes what the planner knows, and empties the list of index entries that searches would read. */
export async function vacuumFoods(database: Queryable): Promise<void> {
  await database.query(sql`vacuum (analyze) foods`);
  await database.query(sql`vacuum (analyze) food_words`);
  await database.query(sql`vacuum (analyze) branded_foods`);
  await database.query(sql`vacuum (analyze) brands`);
}
