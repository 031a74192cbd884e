import { gtin14 } from "@nutrition/core/gtin";
import type { Queryable } from "@nutrition/postgres/database";

import { possibleBrands } from "../domain/matching/brand-words.ts";
import { nearestWords } from "../domain/matching/nearest-word.ts";
import type { Synonyms } from "../domain/matching/search-text.ts";
import { readSearchText } from "../domain/matching/search-text.ts";
import { allOf, someOf } from "../domain/matching/search-terms.ts";
import { findBrandedFoods, findBrands, findFoodsByBarcode } from "../store/branded-search.ts";
import { findFoods, findResemblingFoods } from "../store/food-search.ts";
import { findLikeWords } from "../store/word-store.ts";
import type { ScoredFood } from "./scored-food.ts";
import { best, worth } from "./scored-food.ts";
import type { Read } from "./read-text.ts";
import { queryOf, withTerms } from "./read-text.ts";

/** What the words say beyond the table. */
export interface Vocabulary {
  readonly synonyms: Synonyms;
  /** Whether a word is one of everyday food, which names no brand by itself. */
  readonly isEveryday: (word: string) => boolean;
  /** References of foods that people call so. */
  readonly referencesOf: (text: string) => readonly string[];
}

/** What an answer with a word left out, or with any word, is worth less. */
const LEFT_OUT = 0.6;
const ANY_WORD = 1.2;
/** Fewer foods than this are followed by what comes near. */
const FEW = 3;
const BARCODE = /^\s*(\d{8,14})\s*$/u;

/** The imported foods. Each step runs only for the texts that those before it did not answer. */
export class ImportedFoods {
  readonly #database: Queryable;
  readonly #vocabulary: Vocabulary;

  constructor(database: Queryable, vocabulary: Vocabulary) {
    this.#database = database;
    this.#vocabulary = vocabulary;
  }

  /**
   * Foods that answer to all words of each text, misspelt ones corrected, best first; those of brands
   * only where the text names the brand. In the order of the texts.
   */
  async find(texts: readonly string[], limit: number): Promise<ScoredFood[][]> {
    const reads = texts.map((text, at) => this.#read(text, at));
    const [generic, brands] = await Promise.all([
      this.#ask(reads, limit),
      findBrands(
        this.#database,
        reads.flatMap(({ words }) => possibleBrands(words)),
      ),
    ]);
    const branded = await this.#findBranded(reads, { brands, generic, limit });
    const missed = reads.filter(({ at }) => !generic[at]?.length && !branded[at]?.length);
    const corrected = missed.length === 0 ? [] : await this.#correct(missed);
    const again = corrected.length === 0 ? [] : await this.#ask(corrected, limit);
    return reads.map(({ at }) =>
      best([...(generic[at] ?? []), ...(branded[at] ?? []), ...(again[at] ?? [])], limit),
    );
  }

  /** The same for one text; when nothing has all of its words, what comes nearest to it. */
  async search(text: string, limit: number): Promise<ScoredFood[]> {
    const barcode = BARCODE.exec(text)?.[1];
    if (barcode !== undefined) {
      const foods = await findFoodsByBarcode(this.#database, [gtin14(barcode)], limit);
      if (foods.length > 0) return foods;
    }
    const [found = []] = await this.find([text], limit);
    if (found.length >= Math.min(limit, FEW)) return found;
    return best([...found, ...(await this.#searchNear(this.#read(text, 0), limit))], limit);
  }

  async #searchNear(asked: Read, limit: number): Promise<ScoredFood[]> {
    if (asked.terms.length === 0) return [];
    const ofNoBrand = await this.#askWithoutBrand(asked, limit);
    if (ofNoBrand.length > 0) return ofNoBrand;
    const lessOne = await this.#askWithoutOne(asked, limit);
    if (lessOne.length > 0) return lessOne;
    // A word that no food has may be one that exists all the same, so that it is corrected last.
    const [read = asked] = await this.#correct([asked]);
    const corrected = read === asked ? [] : await this.#askWithoutOne(read, limit);
    if (corrected.length > 0) return corrected;
    const query = queryOf(read, someOf(read.terms));
    const anyWord = await findFoods(this.#database, [query], limit);
    if (anyWord.length > 0) return anyWord.map((food) => worth(food, -ANY_WORD));
    const words = asked.words.join(" ");
    const alike = await findResemblingFoods(this.#database, words, limit);
    if (alike.length > 0) return alike;
    const ofAnyBrand = { brand: "", query: allOf(asked.terms), words };
    return findBrandedFoods(this.#database, [ofAnyBrand], limit);
  }

  /** Generic foods for a brand that has no such food. */
  async #askWithoutBrand(read: Read, limit: number): Promise<ScoredFood[]> {
    const possible = possibleBrands(read.words);
    const known = await findBrands(this.#database, possible);
    const brand = possible.find((words) => known.includes(words));
    if (brand === undefined) return [];
    const { words } = this.#brandedQuery(read, brand);
    return words === "" ? [] : (await this.#ask([this.#read(words, 0)], limit)).flat();
  }

  /** Foods that have all words but one. */
  async #askWithoutOne(read: Read, limit: number): Promise<ScoredFood[]> {
    if (read.terms.length < 2) return [];
    const shorter = read.terms.map((_, at) => {
      return { ...withTerms(read, read.terms.toSpliced(at, 1)), references: [], at };
    });
    const found = (await this.#ask(shorter, limit)).flat();
    return best(
      found.map((food) => worth(food, -LEFT_OUT)),
      limit,
    );
  }

  #read(text: string, at: number): Read {
    const read = readSearchText(text, this.#vocabulary.synonyms);
    const references = [text, read.words.join(" ")].flatMap(this.#vocabulary.referencesOf);
    return { ...read, references, at };
  }

  /** Generic foods that have all words, by number of the text. */
  async #ask(reads: readonly Read[], limit: number): Promise<ScoredFood[][]> {
    const found: ScoredFood[][] = [];
    const asked = reads.filter(({ terms }) => terms.length > 0);
    if (asked.length === 0) return found;
    const queries = asked.map((read) => queryOf(read, allOf(read.terms)));
    const foods = await findFoods(this.#database, queries, limit);
    asked.forEach(({ at }, index) => {
      found[at] = foods.filter((food) => food.at === index + 1);
    });
    return found;
  }

  async #findBranded(
    reads: readonly Read[],
    {
      brands,
      generic,
      limit,
    }: { brands: readonly string[]; generic: ScoredFood[][]; limit: number },
  ): Promise<ScoredFood[][]> {
    const found: ScoredFood[][] = [];
    if (brands.length === 0) return found;
    const known = new Set(brands);
    const asked = reads.flatMap((read) => {
      const brand = possibleBrands(read.words).find((words) => known.has(words));
      if (brand === undefined) return [];
      const isEveryday = brand.split(" ").every(this.#vocabulary.isEveryday);
      if (isEveryday && generic[read.at]?.length) return [];
      return [{ at: read.at, ...this.#brandedQuery(read, brand) }];
    });
    if (asked.length === 0) return found;
    const foods = await findBrandedFoods(this.#database, asked, limit);
    asked.forEach(({ at }, index) => {
      found[at] = foods.filter((food) => food.at === index + 1);
    });
    return found;
  }

  #brandedQuery({ words }: Read, brand: string) {
    const ofBrand = new Set(brand.split(" "));
    const rest = words.filter((word) => !ofBrand.has(word));
    const query = allOf(this.#vocabulary.synonyms.termsOf(rest));
    return { brand, query, words: rest.join(" ") };
  }

  /** The texts with misspelt words corrected; those without any are left out. */
  async #correct(reads: readonly Read[]): Promise<Read[]> {
    const words = [...new Set(reads.flatMap((read) => read.words))];
    const nearest = nearestWords(await findLikeWords(this.#database, words));
    return reads.flatMap((read) => {
      if (!read.words.some((word) => nearest.has(word))) return [];
      const corrected = read.words.map((word) => nearest.get(word) ?? word);
      const references = this.#vocabulary.referencesOf(corrected.join(" "));
      const terms = this.#vocabulary.synonyms.termsOf(corrected);
      return [{ ...read, words: corrected, terms, references }];
    });
  }
}
