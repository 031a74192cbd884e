import type { Food } from "../domain/foods/food.ts";
import type { LineReader } from "../domain/line-reader.ts";
import { inTime } from "./database-guard.ts";
import { foodOf } from "./scored-food.ts";
import type { FoodSearch } from "./food-search.ts";

/** Most phrases of a call that are looked up, and foods that are fetched for each. */
const PHRASES_MAX = 36;
const FOODS_MAX = 5;

/** Finds imported foods for what the curated table cannot answer: in one go for all lines. */
export class ExtraFoods {
  readonly #reader: LineReader;
  readonly #foods: FoodSearch;
  readonly #waitMs: number;

  /** Lines wait `waitMs` for the database and then do without. */
  constructor(reader: LineReader, foods: FoodSearch, waitMs: number) {
    this.#reader = reader;
    this.#foods = foods;
    this.#waitMs = waitMs;
  }

  /**
   * Foods that the lines may mean besides the shipped ones; none when those answer all, or when the
   * database takes too long.
   */
  async findFor(lines: readonly string[]): Promise<Food[]> {
    const open = new Set(lines.flatMap((line) => this.#reader.unanswered(line)));
    const phrases = [...open].slice(0, PHRASES_MAX);
    if (phrases.length === 0) return [];
    const found = await inTime(this.#foods.find(phrases, FOODS_MAX), this.#waitMs, []);
    const byReference = new Map(found.flat().map((food) => [food.reference, foodOf(food)]));
    return [...byReference.values()];
  }
}
