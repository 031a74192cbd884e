import type { Queryable } from "@nutrition/postgres/database";
import { prepared } from "@nutrition/postgres/sql";

import type { FoundFood } from "./stored-food.ts";
import { FIGURES } from "./stored-food.ts";

/** What a search of the foods of brands looks for. */
export interface BrandedQuery {
  /** The brand in the words it is known by; empty for any. */
  brand: string;
  /** Text query that a name must answer to; empty for every food of the brand. */
  query: string;
}

const BRANDS = prepared("find_brands", "select words from brands where words = any($1::text[])");

/** The words that are brands. */
export async function findBrands(database: Queryable, words: readonly string[]): Promise<string[]> {
  const rows = await database.query<{ words: string }>(BRANDS(words));
  return rows.map(({ words }) => words);
}

// A brand may have ten thousand foods: of those that answer, only so many are compared.
const FIND = prepared(
  "find_branded_foods",
  `select wanted.at::int as at, found.*
   from unnest($1::text[], $2::text[]) with ordinality as wanted (brand, query, at)
   cross join lateral (
     select to_tsquery('english', wanted.query) && wanted.brand::tsquery as query offset 0
   ) as read
   cross join lateral (
     select ${FIGURES}, brand, gtin, 'branded' as source
     from (select * from branded_foods b where b.lexemes @@ read.query limit 300) as near
     order by length(lexemes), reference
     limit $3::int
   ) as found`,
);

/** Candidates of one query; the process ranks them. */
const CANDIDATES_MAX = 60;

/** Foods of brands that answer to each query, the shortest names first. */
export async function findBrandedFoods(
  database: Queryable,
  queries: readonly BrandedQuery[],
): Promise<FoundFood[]> {
  return database.query<FoundFood>(
    FIND(
      queries.map(({ brand }) => (brand === "" ? "" : `'brand:${brand}'`)),
      queries.map(({ query }) => query),
      CANDIDATES_MAX,
    ),
  );
}

const BARCODES = prepared(
  "find_foods_by_barcode",
  `select 1 as at, ${FIGURES}, brand, gtin, 'branded' as source
   from branded_foods where gtin = any($1::text[]) order by gtin, reference limit $2::int`,
);

/** Foods with one of those barcodes of 14 digits. */
export async function findFoodsByBarcode(
  database: Queryable,
  gtins: readonly string[],
  limit: number,
): Promise<FoundFood[]> {
  return database.query<FoundFood>(BARCODES(gtins, limit));
}
