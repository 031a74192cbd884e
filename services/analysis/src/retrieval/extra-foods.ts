import type { Food } from "../domain/food.ts";
import type { LineReader } from "../domain/line-reader.ts";
import { foodOf } from "./found-as-food.ts";
import type { FoodSearch } from "./food-search.ts";

/** Most phrases of a call that are looked up, and foods that are fetched for each. */
const PHRASES_MAX = 36;
const FOODS_MAX = 5;

/** Finds imported foods for what the curated table cannot answer: in one go for all lines. */
export class ExtraFoods {
  readonly #reader: LineReader;
  readonly #foods: FoodSearch;

  constructor(reader: LineReader, foods: FoodSearch) {
    this.#reader = reader;
    this.#foods = foods;
  }

  /** Foods that the lines may mean besides the curated ones; none when the curated ones answer all. */
  async findFor(lines: readonly string[]): Promise<Food[]> {
    const open = new Set(lines.flatMap((line) => this.#reader.unanswered(line)));
    const phrases = [...open].slice(0, PHRASES_MAX);
    if (phrases.length === 0) return [];
    const found = await this.#foods.find(phrases, FOODS_MAX);
    const byReference = new Map(found.flat().map((food) => [food.reference, foodOf(food)]));
    return [...byReference.values()];
  }
}
