import { gtin14 } from "@nutrition/core/gtin";

import type { Food } from "../domain/foods/food.ts";
import type { ImportedFood } from "../domain/foods/imported-food.ts";
import { candidateOf, rankFoods } from "../domain/matching/food-ranking.ts";
import type { Ranked, SearchQuery } from "../domain/matching/food-ranking.ts";
import { NAMED_SCORE } from "../domain/matching/query-reader.ts";
import type { QueryReader } from "../domain/matching/query-reader.ts";
import { possibleBrands } from "../domain/text/food-words.ts";
import type { ImportedFoods, WhichTerms } from "../store/imported-foods.ts";
import type { ShippedFoods } from "./shipped-foods.ts";

/** Deducted from the score of a food that lacks words of the text. */
const LEFT_OUT = 1.2;
/** Added to the score of a food whose brand the text names, and the score of one found by its barcode. */
const OF_BRAND = 1;
const OF_BARCODE = 3;
/** If fewer foods than this have all words, near matches follow. */
const FEW = 3;
const BARCODE = /^\s*(\d{8,14})\s*$/u;

/** Minimum score of a curated food that is shown. */
const CURATED_SCORE_MIN = 0.55;
/**
 * Factors for the scores of curated foods. One with that name ranks below foods of other tables whose
 * names have all words and the same head, and above the rest; one that only resembles ranks last.
 */
const NAMED_WORTH = 2;
const RESEMBLING_WORTH = 0.3;
/** Foods fetched beyond those shown, so that their curated forms are not listed twice. */
const HIDDEN_MAX = 20;

export interface SearchedTables {
  readonly queryReader: QueryReader;
  readonly shipped: ShippedFoods;
  readonly imported: Pick<ImportedFoods, keyof ImportedFoods>;
}

/** A food of any table that a search found. */
export interface SearchResult {
  readonly food: Food | ImportedFood;
  readonly score: number;
}

/**
 * Finds foods of USDA's and the imported tables, in one order. Without the database, only the tables
 * that ship with the service are searched.
 */
export class FoodSearch {
  readonly #tables: SearchedTables;

  constructor(tables: SearchedTables) {
    this.#tables = tables;
  }

  /** The foods of all tables, the curated one included, that match a text, or nearly so, best first. */
  async searchAll(text: string, limit: number): Promise<SearchResult[]> {
    const found = await this.search(text, limit + HIDDEN_MAX);
    // A curated food with the figures of an imported one is that food.
    const shown = new Set(found.map(({ food }) => food.reference));
    const curated = this.#tables.queryReader
      .curated(text, limit)
      .filter(({ food, score }) => score >= CURATED_SCORE_MIN && !shown.has(food.reference))
      .map(({ food, score }) => ({
        food,
        score: score * (score >= NAMED_SCORE ? NAMED_WORTH : RESEMBLING_WORTH),
      }));
    return [...found, ...curated].sort((one, other) => other.score - one.score).slice(0, limit);
  }

  /** Like `find`, for one text; adds near matches if few foods have all of its words. */
  async search(text: string, limit: number): Promise<Ranked[]> {
    const barcode = BARCODE.exec(text)?.[1];
    if (barcode !== undefined) {
      const foods = await this.#tables.imported.ofBarcodes([gtin14(barcode)], limit);
      if (foods.length > 0) return foods.map((food) => ({ food, score: OF_BARCODE }));
    }
    const [found = []] = await this.find([text], limit);
    // If the text names a brand and one of its products matches, near matches would be wrong.
    if (found.length >= FEW || found.some(({ food }) => food.brand !== "")) return found;
    return best([...found, ...(await this.#findNear(text, found.length > 0, limit))], limit);
  }

  /**
   * Foods that match all words of each text, best first, in the order of the texts. Foods of a brand
   * match only if the text names the brand.
   */
  async find(texts: readonly string[], limit: number): Promise<Ranked[][]> {
    const queries = texts.map((text) => this.#tables.queryReader.read(text));
    const possible = queries.flatMap(({ words }) => possibleBrands(words));
    const [generic, brands] = await Promise.all([
      this.#findMatching(queries, "all", limit),
      this.#tables.imported.brandsAmong(possible),
    ]);
    const named = queries.flatMap(({ words }, at) => {
      const brand = possibleBrands(words).find((words) => brands.has(words));
      if (brand === undefined) return [];
      if (this.#tables.queryReader.isEveryday(brand) && generic[at]?.length) return [];
      const others = words.filter((word) => !brand.split(" ").includes(word));
      return [
        { at, brand, query: { ...this.#tables.queryReader.ofWords(others), references: [] } },
      ];
    });
    const products = named.length === 0 ? [] : await this.#tables.imported.ofBrands(named);
    return queries.map((_, at) => {
      const index = named.findIndex((query) => query.at === at);
      const [query, foods] = [named[index]?.query, products[index]];
      const branded = query && foods ? rankImported(foods, query, limit) : [];
      return best([...(generic[at] ?? []), ...raised(branded, OF_BRAND)], limit);
    });
  }

  /** Foods with some of the words, or with corrected ones; products of any brand if there are none. */
  async #findNear(text: string, isFound: boolean, limit: number): Promise<Ranked[]> {
    const query = this.#tables.queryReader.read(text);
    if (query.terms.length === 0) return [];
    // If a food has all of the words, none is misspelt.
    const spelled = isFound ? query : await this.#corrected(query);
    const [found = []] = isFound ? [] : await this.#findMatching([spelled], "all", limit);
    if (found.length > 0) return found;
    const [near = []] = await this.#findMatching([spelled], "any", limit);
    if (near.length > 0) return raised(near, -LEFT_OUT);
    const [ofAnyBrand = []] = await this.#tables.imported.ofBrands([{ brand: "", query }]);
    return rankImported(ofAnyBrand, query, limit);
  }

  /** Foods that match all or any of the terms, best first. */
  async #findMatching(
    queries: readonly SearchQuery[],
    which: WhichTerms,
    limit: number,
  ): Promise<Ranked[][]> {
    const open = queries.filter((query) => query.terms.length > 0);
    const stored = open.length === 0 ? [] : await this.#tables.imported.candidates(open, which);
    return queries.map((query) => {
      const imported = stored[open.indexOf(query)] ?? [];
      const references = new Set(imported.map(({ reference }) => reference));
      // An imported food replaces the shipped one of its reference.
      const shipped = this.#tables.shipped
        .candidates(query, which)
        .filter(({ food }) => !references.has(food.reference));
      return rankFoods([...imported.map((food) => candidateOf(food)), ...shipped], query, limit);
    });
  }

  /** The same search, with misspelled words replaced by words of shipped or imported foods. */
  async #corrected({ words }: SearchQuery): Promise<SearchQuery> {
    const shipped = words.map((word) => this.#tables.shipped.nearest(word));
    const open = words.filter((_, at) => shipped[at] === undefined);
    const imported = open.length === 0 ? new Map() : await this.#tables.imported.nearest(open);
    return this.#tables.queryReader.ofWords(
      words.map((word, at) => shipped[at] ?? imported.get(word) ?? word),
    );
  }
}

function rankImported(foods: readonly ImportedFood[], query: SearchQuery, limit: number): Ranked[] {
  const candidates = foods.map((food) => candidateOf(food));
  return rankFoods(candidates, query, limit);
}

function raised(foods: readonly Ranked[], by: number): Ranked[] {
  return foods.map(({ food, score }) => ({ food, score: score + by }));
}

/** The foods, best first, without repetitions: a product is listed once for each package size. */
function best(foods: readonly Ranked[], limit: number): Ranked[] {
  const names = new Set<string>();
  const distinct = foods
    .toSorted((one, other) => other.score - one.score)
    .filter(({ food: { name, brand, per100Grams } }) => {
      const key = `${name.toLowerCase()}\n${brand}\n${Math.round(per100Grams.calories)}`;
      return !names.has(key) && names.add(key);
    });
  return distinct.slice(0, limit);
}
