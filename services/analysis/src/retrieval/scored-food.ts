import type { StoredFood } from "../store/stored-food.ts";

/** An imported food and how well it answers: higher is better. */
export type ScoredFood = StoredFood & { readonly score: number };

/** The food with its score changed. */
export function worth<Found extends ScoredFood>(food: Found, more: number): Found {
  return { ...food, score: food.score + more };
}

/** The best of each name, brand and energy, best first: labels repeat themselves by package size. */
export function best(foods: readonly ScoredFood[], limit: number): ScoredFood[] {
  const names = new Set<string>();
  const distinct = foods
    .toSorted((one, other) => other.score - one.score)
    .filter(({ name, brand, calories }) => {
      const key = `${name.toLowerCase()}\n${brand ?? ""}\n${Math.round(calories)}`;
      return !names.has(key) && names.add(key);
    });
  return distinct.slice(0, limit);
}
