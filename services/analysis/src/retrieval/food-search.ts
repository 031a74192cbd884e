import { gtin14 } from "@nutrition/core/gtin";

import type { Food } from "../domain/foods/food.ts";
import { foodOf, type ImportedFood, type NewFood } from "../domain/foods/imported-food.ts";
import { NAMED_SCORE, rankFoods, wordsOfFood } from "../domain/matching/search-queries.ts";
import type {
  SearchQuery,
  WhichTerms,
  QueryReader,
  Ranked,
} from "../domain/matching/search-queries.ts";
import { WordIndex, type Work } from "../domain/matching/comparison.ts";
import { foldWords, stem, stemsOf, possibleBrands } from "../domain/text/food-words.ts";
import type { ImportedSource } from "./imported-source.ts";

/** Maximum foods that a name of a line is compared with. */
const FOODS_FOR_NAME = 5;

/** Finds USDA's foods, which ship with the service, in memory. */
export class ShippedFoods {
  readonly #byStem: WordIndex<ImportedFood>;
  readonly #byReference: ReadonlyMap<string, ImportedFood>;
  readonly queries: QueryReader;
  readonly #byName;
  readonly #work: Work;

  constructor(foods: readonly NewFood[], queries: QueryReader, work: Work) {
    this.#byStem = new WordIndex(work);
    this.#byReference = new Map(foods.map((food) => [food.reference, food]));
    this.queries = queries;
    this.#byName = work.cache<readonly Food[]>();
    this.#work = work;
    for (const food of foods) {
      const aliases = stemsOf(foldWords(food.aliases.join(" ")));
      this.#byStem.add(food, new Set([...wordsOfFood(food).stems, ...aliases]));
    }
  }

  /** Foods that match all terms, or any of them, and those that are usually meant. */
  candidates({ terms, references }: SearchQuery, which: WhichTerms): ImportedFood[] {
    const called = references.flatMap((reference) => this.#byReference.get(reference) ?? []);
    const ofTerms = terms.map((term) => term.flatMap((phrase) => this.#having(phrase)));
    const matching = which === "all" ? inAll(ofTerms) : ofTerms.flat();
    const found = new Set([...matching, ...called]);
    this.#work.add(found.size);
    return [...found];
  }

  #having(phrase: readonly string[]): readonly ImportedFood[] {
    return inAll(stemsOf(phrase.join(" ")).map((found) => this.#byStem.having(found)));
  }

  /** The query, each word that no name has replaced by the most likely word of one, if one is close. */
  corrected({ words }: SearchQuery): SearchQuery {
    const spelled = words.map((word) => {
      const root = stem(word);
      return this.#byStem.knows(root) ? word : (this.#byStem.nearest(root) ?? word);
    });
    return this.queries.ofWords(spelled);
  }

  /** Foods that a name in a line may mean. */
  foodsFor(name: string): readonly Food[] {
    if (this.#work.isSpent) return [];
    return this.#byName(name, () => {
      const query = this.queries.read(name);
      const found = rankFoods(this.candidates(query, "all"), query, FOODS_FOR_NAME);
      return found.map(({ food }) => foodOf(food));
    });
  }
}

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

/** Finds foods of all tables, in one order; without the database, only those that ship with the service. */
export class FoodSearch {
  readonly imported: ImportedSource;
  readonly #shipped: ShippedFoods;

  constructor(shipped: ShippedFoods, imported: ImportedSource) {
    this.imported = imported;
    this.#shipped = shipped;
  }

  /** The same search, for which no query of the database takes longer than `waitMs`: it finds nothing instead. */
  within(waitMs: number): FoodSearch {
    return new FoodSearch(this.#shipped, this.imported.within(waitMs));
  }

  /** The foods of all tables, the curated one included, that match a text, or nearly so, best first. */
  async search(text: string, limit: number): Promise<Ranked<Food | ImportedFood>[]> {
    const barcode = BARCODE.exec(text)?.[1];
    if (barcode !== undefined) {
      const foods = await this.imported.ofBarcodes([gtin14(barcode)], limit);
      return (foods ?? []).map((food) => ({ food, score: OF_BARCODE }));
    }
    const most = limit + HIDDEN_MAX;
    const [found = []] = await this.find([text], most);
    // If the text names a brand and one of its products matches, near matches would be wrong.
    const isEnough = found.length >= FEW || found.some(({ food }) => food.brand !== "");
    const near = isEnough ? [] : await this.#findNear(text, found.length > 0, most);
    const listed = best([...found, ...near]);
    // A curated food with the figures of an imported one is that food.
    const shown = new Set(listed.map(({ food }) => food.reference));
    const curated = this.#shipped.queries
      .curated(text, limit)
      .filter(({ food, score }) => score >= CURATED_SCORE_MIN && !shown.has(food.reference))
      .map(({ food, score }) => ({
        food,
        score: score * (score >= NAMED_SCORE ? NAMED_WORTH : RESEMBLING_WORTH),
      }));
    return [...listed, ...curated].sort((one, other) => other.score - one.score).slice(0, limit);
  }

  /** For each text, the foods with all of its words, best first; those of a brand only if it is named. */
  async find(texts: readonly string[], limit: number): Promise<Ranked[][]> {
    const queries = texts.map((text) => this.#shipped.queries.read(text));
    const [generic, brands] = await Promise.all([
      this.#findMatching(queries, "all", limit),
      this.imported.brandsAmong(queries.flatMap(({ words }) => possibleBrands(words))),
    ]);
    const named = queries.flatMap(({ words }, at) => {
      const brand = possibleBrands(words).find((words) => brands.has(words));
      if (brand === undefined || (this.#shipped.queries.isEveryday(brand) && generic[at]?.length))
        return [];
      const others = words.filter((word) => !brand.split(" ").includes(word));
      return [{ at, brand, query: { ...this.#shipped.queries.ofWords(others), references: [] } }];
    });
    const products = await this.imported.ofBrands(named);
    named.forEach(({ at, query }, index) => {
      const branded = raised(rankFoods(products[index] ?? [], query, limit), OF_BRAND);
      generic[at] = best([...branded, ...(generic[at] ?? [])]);
    });
    return generic.map((foods) => foods.slice(0, limit));
  }

  /** Foods with some of the words, or with corrected ones; products of any brand if there are none. */
  async #findNear(text: string, isFound: boolean, limit: number): Promise<Ranked[]> {
    const query = this.#shipped.queries.read(text);
    if (query.terms.length === 0) return [];
    // If a food has all of the words, none is misspelt.
    const spelled = isFound ? query : this.#shipped.corrected(query);
    const [found = []] = isFound ? [] : await this.#findMatching([spelled], "all", limit);
    if (found.length > 0) return found;
    const [near = []] = await this.#findMatching([spelled], "any", limit);
    if (near.length > 0) return raised(near, -LEFT_OUT);
    const [ofAnyBrand = []] = await this.imported.ofBrands([{ brand: "", query }]);
    return rankFoods(ofAnyBrand, query, limit);
  }

  /** Generic foods that match all or any of the terms of each query, best first. */
  async #findMatching(
    queries: readonly SearchQuery[],
    which: WhichTerms,
    limit: number,
  ): Promise<Ranked[][]> {
    const stored = await this.imported.candidates(queries, which);
    return queries.map((query, at) => {
      // An imported food replaces the shipped one of its reference.
      const foods = [...this.#shipped.candidates(query, which), ...(stored[at] ?? [])];
      const byReference = new Map(foods.map((food) => [food.reference, food]));
      return rankFoods([...byReference.values()], query, limit);
    });
  }
}

/** The items that all lists have. */
function inAll<Item>([first = [], ...others]: readonly (readonly Item[])[]): readonly Item[] {
  const sets = others.map((items) => new Set(items));
  return first.filter((item) => sets.every((set) => set.has(item)));
}

function raised(foods: readonly Ranked[], by: number): Ranked[] {
  return foods.map(({ food, score }) => ({ food, score: score + by }));
}

/** The foods, best first, without repetitions: a product is listed once for each package size. */
function best(foods: readonly Ranked[]): Ranked[] {
  const names = new Set<string>();
  return foods
    .toSorted((one, other) => other.score - one.score)
    .filter(({ food: { name, brand, per100Grams } }) => {
      const key = `${name.toLowerCase()}\n${brand}\n${Math.round(per100Grams.calories)}`;
      return !names.has(key) && names.add(key);
    });
}
