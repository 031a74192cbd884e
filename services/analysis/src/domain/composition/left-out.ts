import type { FoundFood } from "./read-part.ts";
import { servingGrams } from "../foods/food.ts";
import type { Food } from "../foods/food.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import { combineNutrients } from "../foods/nutrients.ts";
import dishes from "../../../foods/words/dishes.json" with { type: "json" };

/** Minimum share of an ingredient's carbohydrate and fat that a dish must have to contain it. */
const HELD_SHARE = 0.6;
/** Minimum share of a dish that remains, whatever is left out of it. */
const KEPT_MIN = 0.2;
/** The file of composite foods. */
const DISHES = "dishes";
/** Energy in kcal per 100 g below which a missing part goes without a remark. */
const WORTH_SAYING = 60;

/** The foods of a line after the missing parts were removed. */
export interface WithoutParts {
  readonly foods: readonly FoundFood[];
  /** Missing parts that a dish may contain in an unknown amount. */
  readonly notLeftOut: readonly string[];
}

/**
 * Removes what the line says is missing: the bun of a burger with no bun, or the butter of "toast
 * with butter, without the butter".
 */
export function withoutLeftOut(
  foods: readonly FoundFood[],
  leftOut: readonly string[],
  index: FoodIndex,
): WithoutParts {
  let kept = foods;
  const notLeftOut: string[] = [];
  for (const name of leftOut) {
    const others = kept.filter((found, at) => at === 0 || !isNamed(found, name));
    const changed = others.map((found) => without(found, name, index));
    const isDone = others.length < kept.length || changed.some((food, at) => food !== others[at]);
    kept = changed;
    if (!isDone && others.some((found) => mayHold(found, name, index))) notLeftOut.push(name);
  }
  return { foods: kept, notLeftOut };
}

function isNamed({ text, match }: FoundFood, name: string): boolean {
  const said = text.split(" ");
  return match.food.name === name || name.split(" ").every((word) => said.includes(word));
}

/** The ingredient that a dish contains: `grams` are those in a serving (FNDDS, on a sandwich). */
function findIngredient(dish: readonly string[], name: string) {
  const said = name.split(" ");
  return dishes.holding
    .filter(({ dishes }) => dish.some((word) => dishes.includes(word)))
    .flatMap(({ ingredients }) => ingredients)
    .find(({ called }) => said.some((word) => called.includes(word)));
}

function without(found: FoundFood, name: string, index: FoodIndex): FoundFood {
  const { match, weight, amount } = found;
  const { food } = match;
  const dish = food.name.split(" ");
  const ingredient = findIngredient(dish, name);
  const missing = ingredient && index.findByName(ingredient.food);
  if (!missing || dish.includes("without") || !canHold(found, missing, ingredient.grams))
    return found;
  const usual = (ingredient.grams * weight.grams) / servingGrams(food);
  const grams = Math.min(usual, weight.grams * (1 - KEPT_MIN));
  const rest = weight.grams - grams;
  const left = (whole: number, part: number) =>
    Math.max(whole * KEPT_MIN, (whole * weight.grams - part * grams) / rest);
  const per100Grams = combineNutrients(food.per100Grams, missing.per100Grams, left);
  return {
    ...found,
    match: { ...match, food: { ...food, name: `${food.name} without ${name}`, per100Grams } },
    // A stated weight is the weight as eaten: 400 g of chili without beans are 400 g.
    weight: amount.measure?.kind === "mass" ? weight : { ...weight, grams: rest },
  };
}

/** Whether a dish may contain the part though no known ingredient tells how much. */
function mayHold({ match }: FoundFood, name: string, index: FoodIndex): boolean {
  const { name: dish, group } = match.food;
  if (group !== DISHES || findIngredient(dish.split(" "), name)) return false;
  return (index.findByName(name)?.per100Grams.calories ?? 0) >= WORTH_SAYING;
}

/**
 * A hot dog that is only a sausage has no bun to leave out: all its carbohydrate is less than a
 * bun's.
 */
function canHold({ match, weight }: FoundFood, missing: Food, grams: number): boolean {
  return (["carbs", "fat"] as const).every((field) => {
    const whole = ((match.food.per100Grams[field] ?? 0) * weight.grams) / 100;
    return whole >= (HELD_SHARE * (missing.per100Grams[field] ?? 0) * grams) / 100;
  });
}
