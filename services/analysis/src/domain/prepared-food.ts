import type { Food } from "./food.ts";
import type { FoodMatch } from "./food-index.ts";
import { scaleNutrients } from "./nutrients.ts";
import { words } from "./words.ts";

const DRY = words("dry uncooked raw dried");
const RAW = words("raw uncooked");
const STARCHES = words("grains legumes");
const MEATS = words("meat fish");
/** Cooked starches hold so much water that per 100 g they have no more than this many kcal. */
const COOKED_STARCH_CALORIES_MAX = 220;
/** Dry against cooked, per 100 g: rice 2.8, pasta 2.4, lentils 3.0 (SR 28). */
const DRY_FACTOR = 2.7;
/** Raw against cooked meat and fish, which loses a quarter of its weight as water (SR 28). */
const RAW_FACTOR = 0.75;
/** What working a raw food out from the cooked one costs. */
const DERIVED_COST = 0.1;

/** "Dry quinoa" where the table has only the cooked one: the same food without the water. */
export function inStateSaid(match: FoodMatch): FoodMatch {
  const { food, unmatched, score } = match;
  const isCookedStarch =
    STARCHES.has(food.group) && food.per100Grams.calories <= COOKED_STARCH_CALORIES_MAX;
  if (isCookedStarch && unmatched.some((word) => DRY.has(word))) {
    return { food: derived(food, "dry", DRY_FACTOR), score: score - DERIVED_COST, unmatched: [] };
  }
  if (MEATS.has(food.group) && unmatched.some((word) => RAW.has(word))) {
    return { food: derived(food, "raw", RAW_FACTOR), score: score - DERIVED_COST, unmatched: [] };
  }
  return match;
}

function derived(food: Food, state: string, factor: number): Food {
  const per100Grams = scaleNutrients(food.per100Grams, factor);
  return { ...food, name: `${state} ${food.name}`, per100Grams };
}
