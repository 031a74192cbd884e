import type { Food } from "../domain/foods/food.ts";
import type { FoodFinder } from "./food-finder.ts";
import type { ScoredFood } from "./scored-food.ts";
import { NAMED_SCORE } from "./query-reader.ts";
import type { QueryReader } from "./query-reader.ts";

/** A food of any table. */
export type SearchResult =
  | { readonly score: number; readonly curated: Food }
  | { readonly score: number; readonly imported: ScoredFood };

/** Minimum score of a curated food that is shown. */
const SCORE_MIN = 0.55;
/**
 * Factors for the scores of curated foods. One with that name ranks below foods of other tables whose
 * names have all words and the same head, and above the rest; one that only resembles ranks last.
 */
const NAMED_WORTH = 1.6;
const RESEMBLING_WORTH = 0.5;
/** Foods fetched beyond those shown, so that their curated forms are not listed twice. */
const HIDDEN_MAX = 20;

/** Finds the foods of all tables that match a text, or nearly so, best first. */
export type FoodSearch = (text: string, limit: number) => Promise<SearchResult[]>;

/** Searches the curated table and those of the finder together. */
export function foodSearch(queryReader: QueryReader, finder: FoodFinder): FoodSearch {
  return async (text, limit) => {
    const found = await finder.search(text, limit + HIDDEN_MAX);
    const shown = new Set(found.map(({ reference }) => reference));
    const curated = queryReader.curated(text, limit).filter(({ score }) => score >= SCORE_MIN);
    const results: SearchResult[] = [
      ...found.map((food) => ({ score: food.score, imported: food })),
      // A curated food with the figures of an imported one is that food.
      ...curated
        .filter(({ food }) => !shown.has(food.reference))
        .map(({ food, score }) => ({
          score: score * (score >= NAMED_SCORE ? NAMED_WORTH : RESEMBLING_WORTH),
          curated: food,
        })),
    ];
    return results.sort((one, other) => other.score - one.score).slice(0, limit);
  };
}
