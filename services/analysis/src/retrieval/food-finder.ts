import { gtin14 } from "@nutrition/core/gtin";

import { possibleBrands } from "../domain/text/food-words.ts";
import type { Wanted } from "../domain/matching/food-ranking.ts";
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
  readonly queries: QueryReader;
  readonly shipped: ShippedFoods;
  readonly imported: Pick<ImportedFoods, keyof ImportedFoods>;
}

/**
 * Finds foods of USDA's and the imported tables, in one order. Each step runs only if those before it
 * found nothing. Without the database, only the tables that ship with the service are searched.
 */
export class FoodFinder {
  readonly #queries: QueryReader;
  readonly #shipped: ShippedFoods;
  readonly #imported: FinderDependencies["imported"];

  constructor({ queries, shipped, imported }: FinderDependencies) {
    this.#queries = queries;
    this.#shipped = shipped;
    this.#imported = imported;
  }

  /**
   * Foods that match all words of each text, best first, in the order of the texts. Foods of a brand
   * match only if the text names the brand. Words that no imported food has are corrected.
   */
  async find(texts: readonly string[], limit: number): Promise<ScoredFood[][]> {
    const asked = texts.map((text) => this.#queries.read(text));
    const possible = asked.flatMap(({ words }) => possibleBrands(words));
    const [generic, brands] = await Promise.all([
      this.#ask(asked, limit),
      this.#imported.brandsAmong(possible),
    ]);
    const branded = await this.#askBrands(asked, brands, generic, limit);
    const found = asked.map((_, at) => [...(generic[at] ?? []), ...(branded[at] ?? [])]);
    const missed = asked.flatMap((wanted, at) => (found[at]?.length ? [] : [{ wanted, at }]));
    const corrected = await this.#correct(missed.map(({ wanted }) => wanted));
    const again = await this.#ask(corrected, limit);
    missed.forEach(({ at }, index) => found[at]?.push(...(again[index] ?? [])));
    return found.map((foods) => best(foods, limit));
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
    const asked = this.#queries.read(text);
    if (asked.terms.length === 0) return [];
    // A word that a food has is not corrected to one that others have.
    const read = isFound ? asked : this.#queries.ofWords(this.#shipped.correct(asked.words));
    const steps = [
      async () => (isFound ? [] : (await this.#ask([read], limit)).flat()),
      async () => this.#askWithoutBrand(asked, limit),
      async () => this.#askWithoutOne(read, limit),
      async () => {
        const [corrected = read] = await this.#correct([asked]);
        return this.#askWithoutOne(corrected, limit);
      },
      async () => lowered((await this.#ask([read], limit, "any")).flat(), ANY_WORD),
      async () => {
        const alike = await this.#imported.resembling(asked.words, limit);
        return lowered(rankedFoods(alike, asked, limit), ANY_WORD);
      },
      async () => {
        const [ofAnyBrand = []] = await this.#imported.ofBrands([{ brand: "", wanted: asked }]);
        return rankedFoods(ofAnyBrand, asked, limit);
      },
    ];
    for (const step of steps) {
      const found = await step();
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Foods of all tables that match the terms, best first. */
  async #ask(
    asked: readonly Wanted[],
    limit: number,
    terms: "all" | "any" = "all",
  ): Promise<ScoredFood[][]> {
    const open = asked.filter((wanted) => wanted.terms.length > 0);
    if (open.length === 0) return asked.map(() => []);
    const stored = await this.#imported.candidates(open, terms);
    return asked.map((wanted) => {
      const own = stored[open.indexOf(wanted)] ?? [];
      const references = new Set(own.map(({ reference }) => reference));
      // An imported food replaces the shipped one of its reference.
      const shipped = this.#shipped
        .candidates(wanted, terms)
        .filter(({ food }) => !references.has(food.reference));
      return rankedFoods(own, wanted, limit, shipped);
    });
  }

  /** Foods that have all terms but one. */
  async #askWithoutOne({ terms }: Wanted, limit: number): Promise<ScoredFood[]> {
    if (terms.length < 2) return [];
    const shorter = terms.map((_, at) => ofTerms(terms.toSpliced(at, 1)));
    const found = (await this.#ask(shorter, limit)).flat();
    return best(lowered(found, LEFT_OUT), limit);
  }

  /** Generic foods for a brand that has no such food. */
  async #askWithoutBrand({ words }: Wanted, limit: number): Promise<ScoredFood[]> {
    const known = await this.#imported.brandsAmong(possibleBrands(words));
    const brand = possibleBrands(words).find((possible) => known.has(possible));
    const others = brand === undefined ? [] : without(words, brand);
    return (await this.#ask([this.#queries.read(others.join(" "))], limit)).flat();
  }

  async #askBrands(
    asked: readonly Wanted[],
    brands: ReadonlySet<string>,
    generic: readonly ScoredFood[][],
    limit: number,
  ): Promise<ScoredFood[][]> {
    const named = asked.flatMap(({ words }, at) => {
      const brand = possibleBrands(words).find((possible) => brands.has(possible));
      if (brand === undefined) return [];
      const isEveryday = brand.split(" ").every((word) => this.#queries.isEveryday(word));
      if (isEveryday && generic[at]?.length) return [];
      const wanted = { ...this.#queries.ofWords(without(words, brand)), references: [] };
      return [{ at, brand, wanted }];
    });
    const foods = named.length === 0 ? [] : await this.#imported.ofBrands(named);
    const found: ScoredFood[][] = asked.map(() => []);
    named.forEach(({ at, wanted }, index) => {
      const ofBrand = rankedFoods(foods[index] ?? [], wanted, limit);
      found[at] = lowered(ofBrand, -OF_BRAND);
    });
    return found;
  }

  /** The same searches, with misspelled words replaced by words of imported foods. */
  async #correct(asked: readonly Wanted[]): Promise<Wanted[]> {
    const words = [...new Set(asked.flatMap((wanted) => wanted.words))];
    const nearest = words.length === 0 ? new Map() : await this.#imported.nearest(words);
    return asked.map((wanted) => {
      const isKnown = !wanted.words.some((word) => nearest.has(word));
      if (isKnown) return ofTerms([]);
      return this.#queries.ofWords(wanted.words.map((word) => nearest.get(word) ?? word));
    });
  }
}

function without(words: readonly string[], brand: string): string[] {
  const ofBrand = new Set(brand.split(" "));
  return words.filter((word) => !ofBrand.has(word));
}
