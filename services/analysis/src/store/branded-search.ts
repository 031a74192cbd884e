import type { Queryable } from "@nutrition/postgres/database";
import { prepared } from "@nutrition/postgres/sql";

import type { StoredFood } from "./stored-food.ts";
import { FIGURES } from "./stored-food.ts";

/** What a search of the foods of brands looks for. */
export interface BrandedQuery {
  /** The brand in the words it is known by; empty for any. */
  brand: string;
  /** Text query that a name must answer to; empty for every food of the brand. */
  query: string;
  /** The words, for how alike a name is. */
  words: string;
}

/** A stored food of a brand and how well it answers to query number `at`. */
export interface RankedBrandedFood extends StoredFood {
  at: number;
  score: number;
}

const BRANDS = prepared("find_brands", "select words from brands where words = any($1::text[])");

/** Those of the words that are brands. */
export async function findBrands(database: Queryable, words: readonly string[]): Promise<string[]> {
  const rows = await database.query<{ words: string }>(BRANDS(words));
  return rows.map(({ words }) => words);
}

// A brand may have ten thousand foods: of those that answer, only so many are compared.
const FIND = prepared(
  "find_branded_foods",
  `select wanted.at::int as at, best.score, ${FIGURES}, best.brand, best.gtin, 'branded' as source
   from unnest($1::text[], $2::text[], $3::text[])
     with ordinality as wanted (brand, query, words, at)
   cross join lateral (
     select to_tsquery('english', wanted.query) && wanted.brand::tsquery as query offset 0
   ) as read
   cross join lateral (
     select near.*, 1.8 - 0.05 * least(length(near.lexemes), 12)
       + 0.5 * similarity(near.words, wanted.words)
       + 0.5 * word_similarity(wanted.words, near.words) as score
     from (
       select * from branded_foods b where b.lexemes @@ read.query limit 300
     ) as near
     order by score desc, near.reference
     limit $4::int
   ) as best
   order by wanted.at, best.score desc, best.reference`,
);

/** Foods of brands that answer to each query, best first: at most `limit` of each. */
export async function findBrandedFoods(
  database: Queryable,
  queries: readonly BrandedQuery[],
  limit: number,
): Promise<RankedBrandedFood[]> {
  return database.query<RankedBrandedFood>(
    FIND(
      queries.map(({ brand }) => (brand === "" ? "" : `'brand:${brand}'`)),
      queries.map(({ query }) => query),
      queries.map(({ words }) => words),
      limit,
    ),
  );
}

const BARCODES = prepared(
  "find_foods_by_barcode",
  `select 1 as at, 3::float8 as score, ${FIGURES}, brand, gtin, 'branded' as source
   from branded_foods where gtin = any($1::text[]) order by gtin, reference limit $2::int`,
);

/** Foods with one of those barcodes of 14 digits. */
export async function findFoodsByBarcode(
  database: Queryable,
  gtins: readonly string[],
  limit: number,
): Promise<RankedBrandedFood[]> {
  return database.query<RankedBrandedFood>(BARCODES(gtins, limit));
}
