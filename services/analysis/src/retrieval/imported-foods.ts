import { gtin14 } from "@nutrition/core/gtin";
import type { Queryable } from "@nutrition/postgres/database";

import { possibleBrands } from "../domain/matching/brand-words.ts";
import { candidateOf, rankFoods } from "../domain/matching/food-ranking.ts";
import type { Wanted } from "../domain/matching/food-ranking.ts";
import { nearestWords } from "../domain/matching/suggestion.ts";
import type { Synonyms, Term } from "../domain/matching/search-text.ts";
import { readSearchText, allOf, someOf, wordsOfTerms } from "../domain/matching/search-text.ts";
import { findBrandedFoods, findBrands, findFoodsByBarcode } from "../store/branded-search.ts";
import { findFoods, findResemblingFoods } from "../store/food-search.ts";
import type { FoundFood } from "../store/stored-food.ts";
import { findLikeWords } from "../store/word-store.ts";
import type { ScoredFood } from "./scored-food.ts";
import { best, worth } from "./scored-food.ts";

/** One of the texts that are searched for together, as it was read. */
interface Read extends Wanted {
  /** Number of the text, from 0. */
  readonly at: number;
}

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
/** What a food is worth more whose brand the text names, and one that has its barcode. */
const OF_BRAND = 1;
const OF_BARCODE = 3;
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
      if (foods.length > 0) return foods.map((food) => ({ ...food, score: OF_BARCODE }));
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
    const anyWord = await findFoods(this.#database, [queryOf(read, someOf(read.terms))]);
    if (anyWord.length > 0) return ranked(anyWord, read, { limit, more: -ANY_WORD });
    const alike = await findResemblingFoods(this.#database, asked.words.join(" "), limit);
    if (alike.length > 0) return ranked(alike, asked, { limit, more: -ANY_WORD });
    const ofAnyBrand = { brand: "", query: allOf(asked.terms) };
    return ranked(await findBrandedFoods(this.#database, [ofAnyBrand]), asked, { limit });
  }

  /** Generic foods for a brand that has no such food. */
  async #askWithoutBrand(read: Read, limit: number): Promise<ScoredFood[]> {
    const possible = possibleBrands(read.words);
    const known = await findBrands(this.#database, possible);
    const brand = possible.find((words) => known.includes(words));
    if (brand === undefined) return [];
    const { words } = this.#withoutBrand(read, brand);
    if (words.length === 0) return [];
    return (await this.#ask([this.#read(words.join(" "), 0)], limit)).flat();
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
    const foods = await findFoods(this.#database, queries);
    asked.forEach((read, index) => {
      const own = foods.filter((food) => food.at === index + 1);
      found[read.at] = ranked(own, read, { limit });
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
      return [{ brand, read: this.#withoutBrand(read, brand) }];
    });
    if (asked.length === 0) return found;
    const queries = asked.map(({ brand, read }) => ({ brand, query: allOf(read.terms) }));
    const foods = await findBrandedFoods(this.#database, queries);
    asked.forEach(({ read }, index) => {
      const own = foods.filter((food) => food.at === index + 1);
      found[read.at] = ranked(own, read, { limit, more: OF_BRAND });
    });
    return found;
  }

  #withoutBrand(read: Read, brand: string): Read {
    const ofBrand = new Set(brand.split(" "));
    const words = read.words.filter((word) => !ofBrand.has(word));
    return { ...read, words, terms: this.#vocabulary.synonyms.termsOf(words), references: [] };
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

/** What to look for in the generic foods; `query` is the condition. */
function queryOf({ terms, references }: Read, query: string) {
  return { query, asked: wordsOfTerms(terms), references };
}

/** The same text with other terms. */
function withTerms(read: Read, terms: readonly Term[]): Read {
  return { ...read, terms, words: terms.flatMap(([written = []]) => written) };
}

/** Foods in the order of all searches; each is worth so much `more`. */
function ranked(
  foods: readonly FoundFood[],
  read: Read,
  { limit, more = 0 }: { limit: number; more?: number },
): ScoredFood[] {
  const found = rankFoods(
    foods.map((food) => candidateOf(food)),
    read,
    limit,
  );
  return found.map(({ food, score }) => ({ ...food, score: score + more }));
}
