import { candidateOf, rankFoods } from "../domain/matching/food-ranking.ts";
import type { Candidate, SearchQuery } from "../domain/matching/food-ranking.ts";
import type { StoredFood } from "../store/imported-foods.ts";
import type { UsdaFood } from "../store/usda-table.ts";
import { storedUsdaFood } from "../store/usda-table.ts";
import type { Food } from "../domain/foods/food.ts";
import { knownNutrients } from "../domain/foods/nutrients.ts";
import { densityOf, readPortions } from "../domain/foods/imported-portions.ts";

/** An imported food and how well it matches; higher is better. */
export type ScoredFood = StoredFood & { readonly score: number };

/** The foods with their scores lowered by `less`. */
export function lowered(foods: readonly ScoredFood[], less: number): ScoredFood[] {
  return foods.map((food) => ({ ...food, score: food.score - less }));
}

/** Imported and shipped foods together, best first. */
export function rankedFoods(
  stored: readonly StoredFood[],
  query: SearchQuery,
  limit: number,
  shipped: readonly Candidate<UsdaFood>[] = [],
): ScoredFood[] {
  const candidates = [
    ...stored.map((food) => candidateOf<StoredFood | UsdaFood>(food)),
    ...shipped,
  ];
  return rankFoods(candidates, query, limit).map(({ food, score }) => ({
    ...("row" in food ? storedUsdaFood(food) : food),
    score,
  }));
}

/** The foods, best first, without repetitions: a product is listed once for each package size. */
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

/** An imported food in the form of a curated one. */
export function foodOf(stored: StoredFood): Food {
  const density = densityOf(stored.portions);
  return {
    name: stored.source !== "branded" ? plainName(stored.name) : stored.name,
    aliases: [],
    group: stored.source,
    kind: density === undefined ? "food" : "drink",
    per100Grams: knownNutrients(stored),
    alcoholPer100Grams: 0,
    gramsPerMilliliter: density,
    portions: readPortions(stored.portions, stored.name),
    reference: stored.reference,
    ...(stored.brand ? { brand: stored.brand } : {}),
  };
}

const BRAND = /(?<![\p{L}'-])\p{Lu}[\p{Lu}'-]{4,}/gu;

/**
 * USDA's name as people write it: "beans" for "Beans, NFS", "Popeyes, Spicy Chicken Strips" for "POPEYES, Spicy
 * Chicken Strips, analyzed 2006".
 */
function plainName(name: string): string {
  const said = name.replace(/,? (?:NFS|NS as to [^,]*|analyzed \d{4})/gu, "");
  const written = said.replace(BRAND, (brand) => brand.charAt(0) + brand.slice(1).toLowerCase());
  const beginsWithBrand = /^\p{Lu}{2}/u.test(said);
  return beginsWithBrand ? written : written.charAt(0).toLowerCase() + written.slice(1);
}
