import { NUTRIENT_KEYS } from "@nutrition/core/nutrients";
import type { Queryable } from "@nutrition/postgres/database";
import { prepared } from "@nutrition/postgres/sql";

import type { ImportedFood } from "../domain/foods/imported-food.ts";
import type { SearchQuery, Term } from "../domain/matching/food-ranking.ts";
import { nearestWord } from "../domain/text/spelling.ts";
import type { LikeWord } from "../domain/text/spelling.ts";

/** What to search for among the foods of a brand; an empty brand means any. */
export interface BrandQuery {
  readonly brand: string;
  readonly query: SearchQuery;
}

/** A food that matches query number `at`, counted from 1. */
interface FoundFood extends ImportedFood {
  readonly at: number;
}

/** Maximum candidates of one query; the service ranks them. */
const CANDIDATES_MAX = 60;

/** An imported food from columns that the tables of generic and of branded foods share. */
const FOOD = `reference, name, portions, json_strip_nulls(json_build_object(
  ${NUTRIENT_KEYS.map((key) => `'${key}', ${key}`).join(", ")}
)) as "per100Grams"`;
const BRANDED_FOOD = `${FOOD}, brand, coalesce(gtin, '') as gtin, 'branded' as source`;

const FIND = prepared(
  "find_foods",
  `select wanted.at::int as at, found.*
   from unnest($1::text[], $2::text[], $3::text[]) with ordinality as wanted (query, asked, refs, at)
   cross join lateral (
     select
       to_tsquery('english', wanted.query) as query,
       tsvector_to_array(to_tsvector('english', wanted.asked)) as asked,
       string_to_array(wanted.refs, ' ') as refs
     offset 0
   ) as read
   cross join lateral (
     select ${FOOD}, source, '' as brand, '' as gtin
     from foods
     where found_by @@ read.query or reference = any(read.refs)
     order by
       reference = any(read.refs) desc, head_lexemes <@ read.asked desc,
       lexemes @@ read.query desc, length(lexemes), reference
     limit $4::int
   ) as found`,
);
const BRANDS = prepared("find_brands", "select words from brands where words = any($1::text[])");
// A brand may have ten thousand foods; only 300 of those that match are compared.
const FIND_BRANDED = prepared(
  "find_branded_foods",
  `select wanted.at::int as at, found.*
   from unnest($1::text[], $2::text[]) with ordinality as wanted (brand, query, at)
   cross join lateral (
     select to_tsquery('english', wanted.query) && wanted.brand::tsquery as query offset 0
   ) as read
   cross join lateral (
     select ${BRANDED_FOOD}
     from (select * from branded_foods b where b.lexemes @@ read.query limit 300) as near
     order by length(lexemes), reference
     limit $3::int
   ) as found`,
);
const BARCODES = prepared(
  "find_foods_by_barcode",
  `select ${BRANDED_FOOD}
   from branded_foods where gtin = any($1::text[]) order by gtin, reference limit $2::int`,
);
const LIKE = prepared(
  "find_like_words",
  `select wanted.word, near.word as "like", used.foods
   from unnest($1::text[]) as wanted (word)
   cross join lateral (
     select w.word
     from food_words w
     where w.word % wanted.word and left(w.word, 1) = left(wanted.word, 1)
     order by similarity(w.word, wanted.word) desc, w.word
     limit 12
   ) as near
   cross join lateral (select plainto_tsquery('english', near.word) as query offset 0) as read
   cross join lateral (
     select count(*)::int as foods from foods f where f.found_by @@ read.query
   ) as used
   where not exists (select from food_words w where w.word = wanted.word)`,
);

/** Which terms of a query the foods must match. */
export type WhichTerms = "all" | "any";

/**
 * PostgreSQL text query that matches all or any of the terms. Terms contain only letters and digits,
 * so quoting is all the escaping they need.
 */
export function textQuery(terms: readonly Term[], which: WhichTerms): string {
  const queries = terms.map((term) => {
    const phrases = term.map((words) => `(${words.map((word) => `'${word}'`).join(" & ")})`);
    return `(${phrases.join(" | ")})`;
  });
  return queries.join(which === "all" ? " & " : " | ");
}

/** Finds imported foods in PostgreSQL. */
export class ImportedFoods {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** The generic foods that match all terms of each search, or any of them, likeliest first. */
  async candidates(queries: readonly SearchQuery[], which: WhichTerms): Promise<ImportedFood[][]> {
    const found = await this.#database.query<FoundFood>(
      FIND(
        queries.map((query) => textQuery(query.terms, which)),
        queries.map((query) => query.terms.flat(2).join(" ")),
        queries.map(({ references }) => references.join(" ")),
        CANDIDATES_MAX,
      ),
    );
    return byQuery(found, queries.length);
  }

  /** The foods of each brand that match all terms. */
  async ofBrands(queries: readonly BrandQuery[]): Promise<ImportedFood[][]> {
    const found = await this.#database.query<FoundFood>(
      FIND_BRANDED(
        queries.map(({ brand }) => (brand === "" ? "" : `'brand:${brand}'`)),
        queries.map(({ query }) => textQuery(query.terms, "all")),
        CANDIDATES_MAX,
      ),
    );
    return byQuery(found, queries.length);
  }

  /** Those of the words that name brands. */
  async brandsAmong(words: readonly string[]): Promise<ReadonlySet<string>> {
    const brands = await this.#database.query<{ words: string }>(BRANDS(words));
    return new Set(brands.map(({ words }) => words));
  }

  /** The foods with one of these barcodes of 14 digits. */
  ofBarcodes(gtins: readonly string[], limit: number): Promise<ImportedFood[]> {
    return this.#database.query<ImportedFood>(BARCODES(gtins, limit));
  }

  /** The most likely correction of each word that no generic food has. */
  async nearest(words: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const alike = await this.#database.query<LikeWord & { word: string }>(LIKE(words));
    const byWord = Map.groupBy(alike, ({ word }) => word);
    const nearest = [...byWord].map(([word, likely]) => [word, nearestWord(word, likely)] as const);
    return new Map(nearest.flatMap(([word, like]) => (like === undefined ? [] : [[word, like]])));
  }
}

function byQuery(foods: readonly FoundFood[], count: number): ImportedFood[][] {
  return Array.from({ length: count }, (_, at) => foods.filter((food) => food.at === at + 1));
}
