import type { FoundFood } from "./found-food.ts";
import type { Food } from "./food.ts";
import type { FoodIndex } from "./food-index.ts";
import { combineNutrients } from "./nutrients.ts";
import { words } from "./words.ts";

interface Ingredient {
  /** Words that name it. */
  readonly called: ReadonlySet<string>;
  /** Words of dishes that hold it. */
  readonly dishes: ReadonlySet<string>;
  /** Its name in the food table. */
  readonly food: string;
  /** Grams of it in a serving of the dish. */
  readonly grams: number;
}

const BURGERS = words("burger hamburger cheeseburger whopper mac");
const SANDWICHES = words("sandwich blt toastie panini sub");

/** What dishes hold that lines say was left out; weights are FNDDS portions on a sandwich. */
const INGREDIENTS: readonly Ingredient[] = [
  { called: words("bun bread roll"), dishes: BURGERS, food: "burger bun", grams: 55 },
  { called: words("bun bread roll"), dishes: words("dog"), food: "hot dog bun", grams: 44 },
  { called: words("bread"), dishes: SANDWICHES, food: "white bread", grams: 56 },
  {
    called: words("cheese"),
    dishes: words("cheeseburger burrito taco nacho pizza cheese"),
    food: "cheddar",
    grams: 21,
  },
  { called: words("rice"), dishes: words("burrito bowl curry"), food: "white rice", grams: 120 },
  { called: words("bean"), dishes: words("burrito chili"), food: "black beans", grams: 60 },
  { called: words("cream"), dishes: words("burrito taco nacho"), food: "sour cream", grams: 24 },
  { called: words("dressing"), dishes: words("caesar"), food: "caesar dressing", grams: 30 },
  {
    called: words("mayo mayonnaise"),
    dishes: words("tuna chicken egg"),
    food: "mayonnaise",
    grams: 14,
  },
  { called: words("butter"), dishes: words("buttered movie"), food: "butter", grams: 10 },
  {
    called: words("cream"),
    dishes: words("mocha chocolate frappuccino"),
    food: "whipped cream",
    grams: 20,
  },
  { called: words("syrup"), dishes: words("vanilla caramel mocha"), food: "sugar", grams: 20 },
  { called: words("bacon"), dishes: words("bacon blt club"), food: "bacon", grams: 16 },
  { called: words("egg"), dishes: words("cobb ramen nicoise"), food: "egg", grams: 50 },
];
/** Least share of an ingredient's carbohydrate that a dish which holds it has. */
const HELD_SHARE = 0.6;
/** Least share of a dish that stays, whatever is left out of it. */
const KEPT_MIN = 0.2;

/** The foods of a line without what it says is missing from them: a burger with no bun. */
export function withoutLeftOut(
  foods: readonly FoundFood[],
  leftOut: readonly string[],
  index: FoodIndex,
): readonly FoundFood[] {
  return foods.map((found) => leftOut.reduce((rest, name) => without(rest, name, index), found));
}

function without(found: FoundFood, name: string, index: FoodIndex): FoundFood {
  const said = name.split(" ");
  const { food } = found.match;
  const dish = food.name.split(" ");
  const ingredient = INGREDIENTS.find(
    ({ called, dishes }) =>
      said.some((word) => called.has(word)) && dish.some((word) => dishes.has(word)),
  );
  const missing = ingredient && index.findByName(ingredient.food);
  if (!missing || dish.includes("without") || !canHold(found, missing, ingredient.grams)) {
    return found;
  }
  const servings = found.weight.grams / (food.portions.get("serving") ?? found.weight.grams);
  const grams = Math.min(ingredient.grams * servings, found.weight.grams * (1 - KEPT_MIN));
  const rest = found.weight.grams - grams;
  const match = { ...found.match, food: foodWithout(food, missing, { name, grams, rest }) };
  return { ...found, match, weight: { ...found.weight, grams: rest } };
}

/** A sausage called a hot dog has no bun to leave out: all its carbohydrate is less than a bun's. */
function canHold({ match, weight }: FoundFood, missing: Food, grams: number): boolean {
  const whole = ((match.food.per100Grams.carbs ?? 0) * weight.grams) / 100;
  return whole >= (HELD_SHARE * (missing.per100Grams.carbs ?? 0) * grams) / 100;
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
