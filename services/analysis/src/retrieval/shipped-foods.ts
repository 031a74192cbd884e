import type { Food } from "../domain/foods/food.ts";
import { rankFoods } from "../domain/matching/food-ranking.ts";
import type { Candidate, Wanted } from "../domain/matching/food-ranking.ts";
import { Recent } from "../domain/matching/work.ts";
import type { Work } from "../domain/matching/work.ts";
import { WordIndex } from "../domain/matching/word-index.ts";
import type { UsdaFood } from "../store/usda-table.ts";
import { storedUsdaFood } from "../store/usda-table.ts";
import { foodOf } from "./scored-food.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Foods that a name of a line is compared with, and names whose foods are kept at hand. */
const FOODS_FOR_NAME = 5;
const NAMES_KEPT = 500;

/** USDA's foods that the product carries, found in the process. */
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

  /** Foods that answer to all terms, or to any of them. */
  candidates(wanted: Wanted, terms: "all" | "any"): Candidate<UsdaFood>[] {
    return this.#index.candidates(wanted, terms);
  }

  /** The words, each that no name has as the one that it most likely is. */
  correct(words: readonly string[]): string[] {
    return words.map((word) => this.#index.correct(word));
  }

  /** Foods that a name in a line may mean. */
  foodsFor(name: string): readonly Food[] {
    if (this.#work.isSpent) return [];
    return this.#byName.get(name, () => {
      const wanted = this.#vocabulary.read(name);
      const found = rankFoods(this.candidates(wanted, "all"), wanted, FOODS_FOR_NAME);
      return found.map(({ food }) => foodOf(storedUsdaFood(food)));
    });
  }
}
