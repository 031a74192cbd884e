import type { Food } from "./food.ts";
import type { FoodIndex, FoodMatch } from "./food-index.ts";
import { scaleNutrients } from "./nutrients.ts";
import type { ReadPart } from "./read-part.ts";
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

/** Weights, in grams, that minced meat is sold in. */
const PACKS: ReadonlySet<number> = new Set([400, 450, 454, 500, 750, 800, 1000]);
const COOKED = words("cooked fried browned grilled leftover boiled roasted");

/** "Mince 500 g" is the pack, raw, unless the line says that it was weighed cooked. */
export function withRawPacks(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  return parts.map((part) => {
    const { match, amount, name } = part;
    const { count, measure } = amount;
    const isPack = measure?.kind === "mass" && PACKS.has(Math.round(count * measure.grams));
    if (!match?.food.name.includes("ground") || !isPack) return part;
    if (name.some((word) => COOKED.has(word))) return part;
    const food = index.findByName(`raw ${match.food.name}`);
    return food ? { ...part, match: { ...match, food } } : part;
  });
}

function derived(food: Food, state: string, factor: number): Food {
  const per100Grams = scaleNutrients(food.per100Grams, factor);
  return { ...food, name: `${state} ${food.name}`, per100Grams };
}
