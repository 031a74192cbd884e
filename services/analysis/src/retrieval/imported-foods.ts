import type { Logger } from "@nutrition/core/logger";
import { NUTRIENT_KEYS } from "@nutrition/core/nutrients";
import type { Queryable } from "@nutrition/postgres/database";
import { prepared, type Statement } from "@nutrition/postgres/sql";
import { ConsecutiveBreaker, circuitBreaker, handleAll } from "cockatiel";

import type { ImportedFood } from "../domain/foods/imported-food.ts";
import type { SearchQuery, Term, WhichTerms } from "../domain/matching/search-queries.ts";
import type { ImportedFoodQueries } from "./imported-source.ts";

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
   from branded_foods where gtin = any($1::text[])
   order by gtin, portions @> '[{"name": "serving"}]' desc, reference limit $2::int`,
);

/** PostgreSQL text query for the terms. They have only letters and digits, so quoting is enough. */
export function textQuery(terms: readonly Term[], which: WhichTerms): string {
  const queries = terms.map((term) => {
    const phrases = term.map((words) => `(${words.map((word) => `'${word}'`).join(" & ")})`);
    return `(${phrases.join(" | ")})`;
  });
  return queries.join(which === "all" ? " & " : " | ");
}

/** After so many failures in a row, the database is not asked for a while. */
const FAILURES_MAX = 3;
const TRY_AGAIN_AFTER_MS = 5_000;

/**
 * Finds imported foods in PostgreSQL, which callers can do without: nothing is found while it fails, and
 * nobody waits for it after several failures. Logs the first failure and the recovery.
 */
export class ImportedFoods implements ImportedFoodQueries {
  readonly #database: Queryable;
  readonly #logger: Logger;
  readonly #breaker = circuitBreaker(handleAll, {
    halfOpenAfter: TRY_AGAIN_AFTER_MS,
    breaker: new ConsecutiveBreaker(FAILURES_MAX),
  });
  #isAway = false;

  constructor(database: Queryable, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  async candidates(queries: readonly SearchQuery[], which: WhichTerms): Promise<ImportedFood[][]> {
    return this.#find(
      FIND(
        queries.map((query) => textQuery(query.terms, which)),
        queries.map((query) => query.terms.flat(2).join(" ")),
        queries.map(({ references }) => references.join(" ")),
        CANDIDATES_MAX,
      ),
      queries.length,
    );
  }

  async ofBrands(queries: readonly { brand: string; query: SearchQuery }[]) {
    return this.#find(
      FIND_BRANDED(
        queries.map(({ brand }) => (brand === "" ? "" : `'brand:${brand}'`)),
        queries.map(({ query }) => textQuery(query.terms, "all")),
        CANDIDATES_MAX,
      ),
      queries.length,
    );
  }

  async brandsAmong(words: readonly string[]): Promise<ReadonlySet<string>> {
    const brands = await this.#query<{ words: string }>(BRANDS(words));
    return new Set(brands?.map(({ words }) => words));
  }

  ofBarcodes(gtins: readonly string[], limit: number): Promise<ImportedFood[] | undefined> {
    return this.#query<ImportedFood>(BARCODES(gtins, limit));
  }

  /** The foods that each of `count` queries found. */
  async #find(statement: Statement, count: number): Promise<ImportedFood[][]> {
    // Queries are counted from 1.
    const foods = count === 0 ? [] : await this.#query<ImportedFood & { at: number }>(statement);
    const found = Map.groupBy(foods ?? [], ({ at }) => at);
    return Array.from({ length: count }, (_, at) => found.get(at + 1) ?? []);
  }

  async #query<Row>(statement: Statement): Promise<Row[] | undefined> {
    try {
      const rows = await this.#breaker.execute(() => this.#database.query<Row>(statement));
      if (this.#isAway) this.#logger.info({}, "imported foods are searched again");
      this.#isAway = false;
      return rows;
    } catch (error) {
      if (!this.#isAway) this.#logger.warn({ err: error }, "imported foods cannot be searched");
      this.#isAway = true;
      return undefined;
    }
  }
}
