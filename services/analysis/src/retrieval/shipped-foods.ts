import type { Food } from "../domain/foods/food.ts";
import { Recent } from "../domain/matching/work.ts";
import { WordIndex } from "../domain/matching/word-index.ts";
import type { Wanted } from "../domain/matching/food-ranking.ts";
import type { Work } from "../domain/matching/work.ts";
import { readSearchText } from "../domain/matching/search-text.ts";
import type { UsdaFood } from "../store/usda-table.ts";
import { storedUsdaFood } from "../store/usda-table.ts";
import { foodOf, best, worth } from "./scored-food.ts";
import type { ScoredFood } from "./scored-food.ts";
import type { Vocabulary } from "./imported-foods.ts";

/** What an answer with a word left out, or with any word, is worth less. */
const LEFT_OUT = 0.6;
const ANY_WORD = 1.2;
/** Fewer foods than this are followed by what comes near. */
const FEW = 3;
/** Foods that a name of a line is compared with, and names whose foods are kept at hand. */
const FOODS_FOR_NAME = 5;
const NAMES_KEPT = 500;

/** USDA's foods that the product carries, searched in the process. */
export class ShippedFoods {
  readonly #index: WordIndex<UsdaFood>;
  readonly #vocabulary: Vocabulary;
  readonly #byName: Recent<readonly Food[]>;
  readonly #work: Work;

  constructor(foods: readonly UsdaFood[], vocabulary: Vocabulary, work: Work) {
    this.#index = new WordIndex(foods, work);
    this.#vocabulary = vocabulary;
    this.#byName = new Recent(NAMES_KEPT, work);
    this.#work = work;
  }

  /** Foods that answer to all words of the text, best first. */
  find(text: string, limit: number): ScoredFood[] {
    return this.#ask(this.#read(text), limit);
  }

  /** The same, misspelt words corrected; when few have all words, also what comes nearest. */
  search(text: string, limit: number): ScoredFood[] {
    const asked = this.find(text, limit);
    if (asked.length >= Math.min(limit, FEW)) return asked;
    const read = this.#corrected(this.#read(text));
    const found = asked.length > 0 ? asked : this.#ask(read, limit);
    if (found.length >= Math.min(limit, FEW)) return found;
    const lessOne =
      read.terms.length < 2
        ? []
        : read.terms.flatMap((_, at) => {
            return this.#ask(this.#withTerms(read.terms.toSpliced(at, 1)), limit);
          });
    if (lessOne.length > 0)
      return best([...found, ...lessOne.map((food) => worth(food, -LEFT_OUT))], limit);
    const anyWord = read.terms.flatMap((term) => this.#ask(this.#withTerms([term]), limit));
    return best([...found, ...anyWord.map((food) => worth(food, -ANY_WORD))], limit);
  }

  /** Foods that a name in a line may mean. */
  foodsFor(name: string): readonly Food[] {
    if (this.#work.isSpent) return [];
    return this.#byName.get(name, () => this.find(name, FOODS_FOR_NAME).map(foodOf));
  }

  #ask(wanted: Wanted, limit: number): ScoredFood[] {
    const found = this.#index.find(wanted, limit);
    return found.map(({ food, score }) => ({ ...storedUsdaFood(food), score }));
  }

  #read(text: string): Wanted {
    const read = readSearchText(text, this.#vocabulary.synonyms);
    const references = [text, read.words.join(" ")].flatMap(this.#vocabulary.referencesOf);
    return { ...read, references };
  }

  #withTerms(terms: Wanted["terms"]): Wanted {
    return { terms, words: terms.flatMap(([written = []]) => written), references: [] };
  }

  #corrected(read: Wanted): Wanted {
    const words = read.words.map((word) => this.#index.correct(word));
    const references = this.#vocabulary.referencesOf(words.join(" "));
    return { words, terms: this.#vocabulary.synonyms.termsOf(words), references };
  }
}
