import type { FoundFood } from "./read-part.ts";
import type { Food } from "../foods/food.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import { combineNutrients } from "../foods/nutrients.ts";
import dishes from "../../../foods/words/dishes.json" with { type: "json" };

/** An ingredient that people leave out of dishes; weights are FNDDS portions on a sandwich. */
interface Ingredient {
  /** Words that name the ingredient. */
  readonly called: readonly string[];
  /** Words that name dishes containing it. */
  readonly dishes: readonly string[];
  /** Its name in the food table, in the singular. */
  readonly food: string;
  /** Grams of it in a serving of the dish; the minimum, if there is a maximum. */
  readonly grams: number;
  readonly gramsMax?: number;
}

const INGREDIENTS: readonly Ingredient[] = dishes.holding.flatMap(({ dishes, ingredients }) =>
  ingredients.map((ingredient) => ({ ...ingredient, dishes })),
);
/** Share of a serving that an ingredient is, within its minimum and maximum: a burger's bun. */
const USUAL_SHARE = 1 / 3;
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

function findIngredient(dish: readonly string[], name: string): Ingredient | undefined {
  const said = name.split(" ");
  return INGREDIENTS.find(
    ({ called, dishes }) =>
      said.some((word) => called.includes(word)) && dish.some((word) => dishes.includes(word)),
  );
}

function without(found: FoundFood, name: string, index: FoodIndex): FoundFood {
  const { food } = found.match;
  const dish = food.name.split(" ");
  const ingredient = findIngredient(dish, name);
  const missing = ingredient && index.findByName(ingredient.food);
  if (!missing || dish.includes("without")) return found;
  const serving = food.portions.get("serving") ?? found.weight.grams;
  const { grams: least, gramsMax = least } = ingredient;
  const perServing = Math.min(gramsMax, Math.max(least, serving * USUAL_SHARE));
  if (!canHold(found, missing, perServing)) return found;
  const usual = (perServing * found.weight.grams) / serving;
  const grams = Math.min(usual, found.weight.grams * (1 - KEPT_MIN));
  const rest = found.weight.grams - grams;
  const match = { ...found.match, food: foodWithout(food, missing, { name, grams, rest }) };
  // A stated weight is the weight as eaten: 400 g of chili without beans are 400 g.
  const isWeighed = found.amount.measure?.kind === "mass";
  return { ...found, match, weight: isWeighed ? found.weight : { ...found.weight, grams: rest } };
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

function foodWithout(
  food: Food,
  missing: Food,
  { name, grams, rest }: { name: string; grams: number; rest: number },
): Food {
  const left = (whole: number, part: number) =>
    Math.max(whole * KEPT_MIN, (whole * (rest + grams) - part * grams) / rest);
  const per100Grams = combineNutrients(food.per100Grams, missing.per100Grams, left);
  return { ...food, name: `${food.name} without ${name}`, per100Grams };
}
