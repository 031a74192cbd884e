import type { Food } from "../foods/food.ts";
import { headWords } from "../text/food-words.ts";
import { isBrand, isDescription, joinBrands, withoutEmpty } from "../text/vocabulary.ts";
import { tokenize, wordsOf } from "../text/tokens.ts";
import { findHouseholdUnit, isUnit } from "../text/quantities.ts";
import { LISTS } from "../text/words.ts";
import type { FoodIndex } from "./food-index.ts";
import { type FoodMatch, type FoodName, matchNames } from "./comparison.ts";

/** Match score below which other food tables are asked. */
const ANSWERED_SCORE = 0.8;
/** Maximum words of a name that other tables are asked about. */
export const NAME_WORDS_MAX = 10;

/** Maximum foods of other tables that a name is compared with. */
const FOODS_MAX = 200;

/** Finds foods of other tables in memory that a name may mean. */
export type FindOtherFoods = (name: string) => readonly Food[];

/** Decides which food a name means. */
export class FoodMatcher {
  readonly #index: FoodIndex;
  readonly #otherFoods: FindOtherFoods;

  constructor(index: FoodIndex, otherFoods: FindOtherFoods) {
    this.#index = index;
    this.#otherFoods = otherFoods;
  }

  /** The food that a name means, from other tables if the curated one has no clear match. */
  match(name: readonly string[], extraFoods: readonly Food[]): FoodMatch | undefined {
    const [word = ""] = name;
    const { lexicon } = this.#index.vocabulary;
    const isOther = lexicon.kindOf(word) !== undefined || lexicon.isQuality(word);
    const isNoName = word.length === 1 || findHouseholdUnit(word) !== undefined || isOther;
    const isNamed = name.length !== 1 || this.#index.findByWords(name) !== undefined;
    if (!isNamed && isNoName) return undefined;
    // "Way" is no Milky Way.
    const nearest = isNamed || !lexicon.has(word) ? this.#index.match(name) : undefined;
    const match = nearest && this.#isOfAnother(nearest) ? undefined : nearest;
    if (name.length === 0 || this.isAnswered(name, match)) return match;
    const other = this.#findElsewhere(name, extraFoods);
    return other && other.score > (match?.score ?? 0) ? other : match;
  }

  /** The food of another table that has all significant words of a name. */
  matchElsewhere(name: readonly string[], extraFoods: readonly Food[]): FoodMatch | undefined {
    const found = this.#findElsewhere(name, extraFoods);
    return found?.unmatched.every(isDescription) ? found : undefined;
  }

  #findElsewhere(name: readonly string[], extraFoods: readonly Food[]): FoodMatch | undefined {
    const isVague = name.every(
      (word) => LISTS.vagueWords.has(word) || isDescription(word) || isBrand(word),
    );
    if (isVague) return undefined;
    const said = withoutEmpty(name);
    const shipped = this.#otherFoods(name.slice(0, NAME_WORDS_MAX).join(" "));
    const foods = [...extraFoods, ...shipped].slice(0, FOODS_MAX);
    const names = foods.flatMap((food) => this.#nameOf(food, said));
    const found =
      said.length === 0 ? undefined : matchNames(said, names).find((match) => match.isAnswer);
    return found && this.#isOfAnother(found) ? undefined : found;
  }

  /**
   * The name of a food of another table, if the phrase may mean it. Reference tables put the noun first
   * ("Beans, black, cooked"), so the head is what is before the first comma. A branded food matches only
   * if the phrase names the brand.
   */
  #nameOf(food: Food, said: readonly string[]): FoodName[] {
    const wordsIn = (text: string) => withoutEmpty(wordsOf(joinBrands(tokenize(text))));
    const brand = wordsIn(food.brand ?? "");
    const head = wordsIn(headWords(food.name));
    // A "toaster pastry" is not a toaster.
    const isOther = said.length === 1 && said[0] !== head.at(-1);
    if (isOther || head.length === 0 || !brand.every((word) => said.includes(word))) return [];
    return [{ food, head, words: [...new Set([...wordsIn(food.name), ...brand])] }];
  }

  /** "Dragon steak" and "laser noodles" are unknown foods, though steak and noodles are known. */
  #isOfAnother({ unmatched }: FoodMatch): boolean {
    return unmatched.some((word) => {
      if (this.#index.describesFood(word) || !/^\p{L}{2,}$/u.test(word)) return false;
      if (isUnit(word) || isDescription(word) || isBrand(word)) return false;
      return !this.#index.knows(word);
    });
  }

  /** Whether the curated table has a clear match for a name. */
  isAnswered(name: readonly string[], match: FoodMatch | undefined): boolean {
    if (!match || match.score < ANSWERED_SCORE) return false;
    if (match.score < 1 && name.some(isBrand)) return false;
    return match.unmatched.every((word) => isDescription(word) || this.#index.knows(word));
  }
}
