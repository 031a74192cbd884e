import { gtin14 } from "@nutrition/core/gtin";
import type { Queryable } from "@nutrition/postgres/database";

import type { Wanted } from "../domain/matching/food-ranking.ts";
import { nearestWords } from "../domain/matching/suggestion.ts";
import { allOf, someOf, wordsOfTerms } from "../domain/matching/search-text.ts";
import { findBrandedFoods, findBrands, findFoodsByBarcode } from "../store/branded-search.ts";
import { findFoods, findResemblingFoods } from "../store/food-search.ts";
import type { FoundFood, StoredFood } from "../store/stored-food.ts";
import { findLikeWords } from "../store/word-store.ts";
import type { DatabaseGuard } from "./database-guard.ts";

/** What is looked for among the foods of a brand; an empty brand is any. */
export interface BrandedWanted {
  readonly brand: string;
  readonly wanted: Wanted;
}

/** Finds imported foods in PostgreSQL; with the database away, there are none. */
export class ImportedFoods {
  readonly #database: Queryable;
  readonly #guard: DatabaseGuard;

  constructor(database: Queryable, guard: DatabaseGuard) {
    this.#database = database;
    this.#guard = guard;
  }

  /** For each of the wanted the generic foods that answer to all of its terms, or to any. */
  async candidates(asked: readonly Wanted[], terms: "all" | "any"): Promise<StoredFood[][]> {
    const query = terms === "all" ? allOf : someOf;
    const queries = asked.map((wanted) => ({
      query: query(wanted.terms),
      asked: wordsOfTerms(wanted.terms),
      references: wanted.references,
    }));
    const foods = await this.#run(() => findFoods(this.#database, queries));
    return byQuery(foods, asked.length);
  }

  /** For each of the wanted the foods of its brand that answer to all of its terms. */
  async ofBrands(asked: readonly BrandedWanted[]): Promise<StoredFood[][]> {
    const queries = asked.map(({ brand, wanted }) => ({ brand, query: allOf(wanted.terms) }));
    const foods = await this.#run(() => findBrandedFoods(this.#database, queries));
    return byQuery(foods, asked.length);
  }

  /** The words that are brands. */
  async brandsAmong(words: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await this.#run(() => findBrands(this.#database, words)));
  }

  /** The foods of a barcode of 8 to 14 digits. */
  async ofBarcode(barcode: string, limit: number): Promise<StoredFood[]> {
    return this.#run(() => findFoodsByBarcode(this.#database, [gtin14(barcode)], limit));
  }

  /** Generic foods whose names look like the words, most alike first. */
  async resembling(words: readonly string[], limit: number): Promise<StoredFood[]> {
    return this.#run(() => findResemblingFoods(this.#database, words.join(" "), limit));
  }

  /** The most likely correction of each word that no food has. */
  async nearest(words: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return nearestWords(await this.#run(() => findLikeWords(this.#database, words)));
  }

  async #run<Row>(read: () => Promise<Row[]>): Promise<Row[]> {
    return this.#guard.run(read, []);
  }
}

function byQuery(foods: readonly FoundFood[], count: number): StoredFood[][] {
  return Array.from({ length: count }, (_, at) => foods.filter((food) => food.at === at + 1));
}
