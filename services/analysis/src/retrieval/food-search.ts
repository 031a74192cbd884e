import type { Food } from "../domain/foods/food.ts";
import type { FoodIndex, FoodMatch } from "../domain/matching/food-index.ts";
import type { Spellings } from "../domain/text/spelling.ts";
import { tokenize, wordsOf } from "../domain/text/tokens.ts";
import type { DatabaseGuard } from "./database-guard.ts";
import type { ScoredFood } from "./scored-food.ts";
import { best } from "./scored-food.ts";
import { NAMED_SCORE } from "./vocabulary.ts";
import type { ShippedFoods } from "./shipped-foods.ts";
import type { ImportedFoods } from "./imported-foods.ts";

/** A food of either table. */
export type SearchResult =
  | { readonly score: number; readonly curated: Food }
  | { readonly score: number; readonly imported: ScoredFood };

/** Least score of a curated food that is shown. */
const SCORE_MIN = 0.55;
/**
 * A curated food of that name stands behind imported ones that have all words, the head among them,
 * and before others; one that only resembles stands behind those as well.
 */
const NAMED_WORTH = 1.6;
const RESEMBLING_WORTH = 0.5;

/** From this score an imported food has all words. */
const ANSWERED_SCORE = 1;

/** Imported foods that are fetched beyond those shown, to know which curated foods they are. */
const HIDDEN_MAX = 20;

export interface FoodSearchDependencies {
  readonly index: FoodIndex;
  readonly spellings: Spellings;
  readonly shipped: ShippedFoods;
  readonly imported: ImportedFoods;
  readonly guard: DatabaseGuard;
}

/**
 * Searches the curated table and the imported ones together. With the database away, the curated
 * table alone answers.
 */
export class FoodSearch {
  readonly #parts: FoodSearchDependencies;

  constructor(dependencies: FoodSearchDependencies) {
    this.#parts = dependencies;
  }

  /** Foods that answer to the text, best first. */
  async search(text: string, limit: number): Promise<SearchResult[]> {
    const { shipped, imported, guard } = this.#parts;
    const curated = this.#searchCurated(text, limit);
    const stored = await guard.run(() => imported.search(text, limit + HIDDEN_MAX), []);
    // A word that an imported food has is not corrected to one that the shipped ones have.
    const isAnswered = stored.some(({ score }) => score >= ANSWERED_SCORE);
    const near = isAnswered ? shipped.find : shipped.search;
    const found = withoutTwins([...stored, ...near.call(shipped, text, limit + HIDDEN_MAX)]);
    const shown = new Set(found.map(({ reference }) => reference));
    const results: SearchResult[] = [
      ...found.map((food) => ({ score: food.score, imported: food })),
      // A curated food that has its figures from an imported one is that food.
      ...curated
        .filter(({ food }) => !shown.has(food.reference))
        .map(({ food, score }) => ({
          score: score * (score >= NAMED_SCORE ? NAMED_WORTH : RESEMBLING_WORTH),
          curated: food,
        })),
    ];
    return results.sort((one, other) => other.score - one.score).slice(0, limit);
  }

  /** Foods that answer to all words of each phrase, best first, in the phrases' order. */
  async find(phrases: readonly string[], limit: number): Promise<ScoredFood[][]> {
    const { shipped, imported, guard } = this.#parts;
    const stored = await guard.run(() => imported.find(phrases, limit), []);
    return phrases.map((phrase, at) =>
      best(withoutTwins([...(stored[at] ?? []), ...shipped.find(phrase, limit)]), limit),
    );
  }

  #searchCurated(text: string, limit: number): FoodMatch[] {
    const { index } = this.#parts;
    const words = this.#wordsOf(text);
    const named = index.match(words);
    const others = index.search(words, limit).filter(({ food }) => food !== named?.food);
    return (named ? [named, ...others] : others).filter(({ score }) => score >= SCORE_MIN);
  }

  #wordsOf(text: string): string[] {
    return wordsOf(tokenize(text, this.#parts.spellings));
  }
}

/** An imported food replaces the shipped one of its reference. */
function withoutTwins(foods: readonly ScoredFood[]): ScoredFood[] {
  const references = new Set<string>();
  return foods.filter(({ reference }) => !references.has(reference) && references.add(reference));
}
