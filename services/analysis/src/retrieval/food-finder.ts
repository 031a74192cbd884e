import { gtin14 } from "@nutrition/core/gtin";

import { possibleBrands } from "../domain/text/food-words.ts";
import type { SearchQuery } from "../domain/matching/food-ranking.ts";
import type { WhichTerms } from "../domain/matching/search-text.ts";
import type { ImportedFoods } from "../store/imported-foods.ts";
import { best, lowered, rankedFoods } from "./scored-food.ts";
import type { ScoredFood } from "./scored-food.ts";
import type { ShippedFoods } from "./shipped-foods.ts";
import { ofTerms } from "./query-reader.ts";
import type { QueryReader } from "./query-reader.ts";

/** Deducted from the score of a food that lacks one of the terms, or has only some of them. */
const LEFT_OUT = 0.6;
const ANY_WORD = 1.2;
/** Added to the score of a food whose brand the text names, and the score of one found by its barcode. */
const OF_BRAND = 1;
const OF_BARCODE = 3;
/** If fewer foods than this have all words, near matches follow. */
const FEW = 3;
const BARCODE = /^\s*(\d{8,14})\s*$/u;

export interface FinderDependencies {
  readonly queryReader: QueryReader;
  readonly shipped: ShippedFoods;
  readonly imported: Pick<ImportedFoods, keyof ImportedFoods>;
}

/**
 * Finds foods of USDA's and the imported tables, in one order. Each step runs only if those before it
 * found nothing. Without the database, only the tables that ship with the service are searched.
 */
export class FoodFinder {
  readonly #queryReader: QueryReader;
  readonly #shipped: ShippedFoods;
  readonly #imported: FinderDependencies["imported"];

  constructor({ queryReader, shipped, imported }: FinderDependencies) {
    this.#queryReader = queryReader;
    this.#shipped = shipped;
    this.#imported = imported;
  }

  /**
   * Foods that match all words of each text, best first, in the order of the texts. Foods of a brand
   * match only if the text names the brand.
   */
  async find(texts: readonly string[], limit: number): Promise<ScoredFood[][]> {
    const queries = texts.map((text) => this.#queryReader.read(text));
    const possible = queries.flatMap(({ words }) => possibleBrands(words));
    const [generic, brands] = await Promise.all([
      this.#findMatching(queries, limit),
      this.#imported.brandsAmong(possible),
    ]);
    const branded = await this.#findOfBrands(queries, brands, generic, limit);
    return queries.map((_, at) => best([...(generic[at] ?? []), ...(branded[at] ?? [])], limit));
  }

  /** The same for one text. If few foods have all of its words, near matches follow. */
  async search(text: string, limit: number): Promise<ScoredFood[]> {
    const barcode = BARCODE.exec(text)?.[1];
    if (barcode !== undefined) {
      const foods = await this.#imported.ofBarcodes([gtin14(barcode)], limit);
      if (foods.length > 0) return foods.map((food) => ({ ...food, score: OF_BARCODE }));
    }
    const [found = []] = await this.find([text], limit);
    // If the text names a brand and one of its products matches, near matches would be wrong.
    if (found.length >= FEW || found.some(({ brand }) => brand !== null)) return found;
    return best([...found, ...(await this.#near(text, found.length > 0, limit))], limit);
  }

  async #near(text: string, isFound: boolean, limit: number): Promise<ScoredFood[]> {
    const query = this.#queryReader.read(text);
    if (query.terms.length === 0) return [];
    // A word that a food has is not corrected to one that others have.
    const spelled = isFound ? query : await this.#corrected(query);
    const steps = [
      async () => (isFound ? [] : (await this.#findMatching([spelled], limit)).flat()),
      async () => this.#findWithoutBrand(query, limit),
      async () => this.#findWithoutOne(spelled, limit),
      async () => lowered((await this.#findMatching([spelled], limit, "any")).flat(), ANY_WORD),
      async () => {
        const [ofAnyBrand = []] = await this.#imported.ofBrands([{ brand: "", query }]);
        return rankedFoods(ofAnyBrand, query, limit);
      },
    ];
    for (const step of steps) {
      const found = await step();
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Foods of all tables that match all or any of the terms, best first. */
  async #findMatching(
    queries: readonly SearchQuery[],
    limit: number,
    which: WhichTerms = "all",
  ): Promise<ScoredFood[][]> {
    const open = queries.filter((query) => query.terms.length > 0);
    if (open.length === 0) return queries.map(() => []);
    const stored = await this.#imported.candidates(open, which);
    return queries.map((query) => {
      const own = stored[open.indexOf(query)] ?? [];
      const references = new Set(own.map(({ reference }) => reference));
      // An imported food replaces the shipped one of its reference.
      const shipped = this.#shipped
        .candidates(query, which)
        .filter(({ food }) => !references.has(food.reference));
      return rankedFoods(own, query, limit, shipped);
    });
  }

  /** Foods that have all terms but one. */
  async #findWithoutOne({ terms }: SearchQuery, limit: number): Promise<ScoredFood[]> {
    if (terms.length < 2) return [];
    const shorter = terms.map((_, at) => ofTerms(terms.toSpliced(at, 1)));
    const found = (await this.#findMatching(shorter, limit)).flat();
    return best(lowered(found, LEFT_OUT), limit);
  }

  /** Generic foods for a brand that has no such food. */
  async #findWithoutBrand({ words }: SearchQuery, limit: number): Promise<ScoredFood[]> {
    const possible = possibleBrands(words);
    const brands = await this.#imported.brandsAmong(possible);
    const brand = possible.find((name) => brands.has(name));
    const others = brand === undefined ? [] : without(words, brand);
    return (await this.#findMatching([this.#queryReader.read(others.join(" "))], limit)).flat();
  }

  async #findOfBrands(
    queries: readonly SearchQuery[],
    brands: ReadonlySet<string>,
    generic: readonly ScoredFood[][],
    limit: number,
  ): Promise<ScoredFood[][]> {
    const named = queries.flatMap(({ words }, at) => {
      const brand = possibleBrands(words).find((possible) => brands.has(possible));
      if (brand === undefined) return [];
      const isEveryday = brand.split(" ").every((word) => this.#queryReader.isEveryday(word));
      if (isEveryday && generic[at]?.length) return [];
      const query = { ...this.#queryReader.ofWords(without(words, brand)), references: [] };
      return [{ at, brand, query }];
    });
    const foods = named.length === 0 ? [] : await this.#imported.ofBrands(named);
    const found: ScoredFood[][] = queries.map(() => []);
    named.forEach(({ at, query }, index) => {
      const ofBrand = rankedFoods(foods[index] ?? [], query, limit);
      found[at] = lowered(ofBrand, -OF_BRAND);
    });
    return found;
  }

  /** The same search, with misspelled words replaced by words of shipped or imported foods. */
  async #corrected({ words }: SearchQuery): Promise<SearchQuery> {
    const shipped = words.map((word) => this.#shipped.nearest(word));
    const open = words.filter((_, at) => shipped[at] === undefined);
    const imported = open.length === 0 ? new Map() : await this.#imported.nearest(open);
    return this.#queryReader.ofWords(
      words.map((word, at) => shipped[at] ?? imported.get(word) ?? word),
    );
  }
}

function without(words: readonly string[], brand: string): string[] {
  const ofBrand = new Set(brand.split(" "));
  return words.filter((word) => !ofBrand.has(word));
}
