import type { ImportedFood } from "../domain/foods/imported-food.ts";
import type { SearchQuery, WhichTerms } from "../domain/matching/search-queries.ts";

/** Looks up imported foods. Nothing is found while the database does not answer. */
export interface ImportedFoodQueries {
  /** The generic foods that match all terms of each search, or any of them, likeliest first. */
  candidates(queries: readonly SearchQuery[], which: WhichTerms): Promise<ImportedFood[][]>;
  /** The foods of each brand that match all terms; an empty brand means any. */
  ofBrands(queries: readonly { brand: string; query: SearchQuery }[]): Promise<ImportedFood[][]>;
  /** Those of the words that name brands. */
  brandsAmong(words: readonly string[]): Promise<ReadonlySet<string>>;
  /** Foods by barcodes of 14 digits, those with a serving first; undefined if the database does not answer. */
  ofBarcodes(gtins: readonly string[], limit: number): Promise<ImportedFood[] | undefined>;
}

export interface ImportedSource extends ImportedFoodQueries {
  /** The same source, which finds nothing if a query takes longer than `waitMs`. */
  within(waitMs: number): ImportedSource;
}
