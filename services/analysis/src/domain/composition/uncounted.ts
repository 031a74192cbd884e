import dishes from "../../../foods/words/dishes.json" with { type: "json" };
import type { FoundFood, ReadPart } from "./read-part.ts";
import { combineNutrients, type Food, isFat, servingGrams, TOPPING } from "../foods/food.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import { singular, words } from "../text/words.ts";
import { NO_AMOUNT, hasAmount } from "../segmentation/amount.ts";
import { weighPortion } from "../portions/portion-weight.ts";

/** Minimum share of an ingredient's carbohydrate and fat that a dish must have to contain it. */
const HELD_SHARE = 0.6;
/** Minimum share of a dish that remains, whatever is left out of it. */
const KEPT_MIN = 0.2;
/** Energy in kcal per 100 g below which a missing part goes without a remark. */
const WORTH_SAYING = 60;

/**
 * Removes what the line says is missing: the bun of a burger with no bun, or the butter of "toast
 * with butter, without the butter". `notLeftOut` are parts that a dish may hold in an unknown amount.
 */
export function withoutLeftOut(
  foods: readonly FoundFood[],
  leftOut: readonly string[],
  index: FoodIndex,
) {
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

/** Foods whose figures may count cooking fat, and how they are cooked without any. */
const COOKED_GROUPS = words("fish legumes vegetables");
const FATLESS = ["boiled", "steamed"];

/** The table's own entry without the part: "burger no bun", or steamed tilapia for "tilapia, no oil". */
function listedWithout(food: Food, part: string, index: FoodIndex): Food | undefined {
  const name = food.name.split(" ").map(singular);
  const fat = index.findByName(part);
  const isFatMissing = part === "fat" || (fat !== undefined && isFat(fat));
  const fatless = isFatMissing && COOKED_GROUPS.has(food.group) ? FATLESS : [];
  const names = [
    [...name, "no", part],
    [...name, "without", part],
  ];
  const listed = [...names, ...fatless.map((state) => [state, ...name])];
  return listed.flatMap((said) => index.findByWords(said) ?? [])[0];
}

function without(found: FoundFood, name: string, index: FoodIndex): FoundFood {
  const { match, weight, amount } = found;
  const { food } = match;
  const listed = listedWithout(food, name, index);
  if (listed) {
    const own = amount.measure ? weight : weighPortion(listed, amount, { role: "main" });
    return { ...found, match: { ...match, food: listed }, weight: own };
  }
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
  if (group !== "dishes" || findIngredient(dish.split(" "), name)) return false;
  return (index.findByName(name)?.per100Grams.calories ?? 0) >= WORTH_SAYING;
}

/** A hot dog that is only a sausage has no bun to leave out: it has less carbohydrate than a bun. */
function canHold({ match, weight }: FoundFood, missing: Food, grams: number): boolean {
  return (["carbs", "fat"] as const).every((field) => {
    const whole = ((match.food.per100Grams[field] ?? 0) * weight.grams) / 100;
    return whole >= (HELD_SHARE * (missing.per100Grams[field] ?? 0) * grams) / 100;
  });
}

/** Maximum grams of a flavoring whose amount is stated, as of a slice or a squeeze. */
const AROMA_MAX = 15;

/** Water with a slice of lemon, lime, orange or cucumber, a leaf of mint or ice is the water alone. */
export function withoutAromas(foods: readonly FoundFood[]): readonly FoundFood[] {
  const [main, ...rest] = foods;
  if (main?.match.food.kind !== "water") return foods;
  const isAroma = ({ match, weight, amount }: FoundFood) =>
    dishes.aromas.includes(match.food.name) && (!amount.counted || weight.grams <= AROMA_MAX);
  return rest.every(isAroma) ? [main] : foods;
}

/** Foods whose figures include frying fat; roasted ones do from a minimum of fat per 100 g. */
const FRIED = /fried|scrambled|omelette/;
const ROASTED = /roasted|sauteed|stir fr/;
const ROASTING_FAT = 2;
/** Food groups that are sold in water or juice. */
const PACKED = words("fruit vegetables legumes fish");
/** Maximum grams of fat or topping added to one food. */
const ADDED_MAX = 100;
/** Maximum number of topping portions added together. */
const TOPPINGS_MAX = 8;

/** Drops cooking fats and packing liquids: the butter of "eggs fried in butter", the water of "tuna in water". */
export function withoutMedium(parts: readonly ReadPart[]): readonly ReadPart[] {
  const first = parts[0]?.match?.food;
  if (!first) return parts;
  return parts.filter((part, at) => {
    const { match, isMedium, role } = part;
    const before = parts.slice(0, at).findLast(({ match }) => match !== undefined);
    const main = before?.match?.food ?? first;
    if (!match || match.food === main || hasAmount(part)) return true;
    const isFried = FRIED.test(main.name);
    const isRoasted = ROASTED.test(main.name) && (main.per100Grams.fat ?? 0) >= ROASTING_FAT;
    const isAdded = role === "addition";
    const isFriedIn = isFat(match.food) && ((isMedium && isFried) || (isAdded && isRoasted));
    const isMixedWith = (isAdded || isMedium) && match.food.kind === "water";
    return !isFriedIn && !isMixedWith && !isPackingOf(main, part);
  });
}

function isPackingOf(main: Food, { isMedium, match }: ReadPart): boolean {
  const isLiquid = match?.food.kind === "water" || match?.food.name.endsWith("juice") === true;
  return isLiquid && isMedium && PACKED.has(main.group);
}

/** An amount this large, or of a packing liquid, belongs to the whole: "popcorn with butter, 4 cups". */
export function withAmountOfWhole(parts: readonly ReadPart[]): readonly ReadPart[] {
  const [main, ...rest] = parts;
  if (!main?.match || hasAmount(main)) return parts;
  const { food } = main.match;
  const isOfWhole = (part: ReadPart) => isPackingOf(food, part) || isTooMuch(part);
  const at = rest.findIndex((part) => hasAmount(part) && isOfWhole(part));
  const other = rest[at];
  if (!other) return parts;
  return [{ ...main, amount: other.amount }, ...rest.with(at, { ...other, amount: NO_AMOUNT })];
}

function isTooMuch({ match, role, amount }: ReadPart): boolean {
  const topping = match?.food.portions.get(TOPPING);
  if (!match || topping === undefined || role !== "addition") return false;
  const { grams } = weighPortion(match.food, amount, { role });
  return grams > Math.max(ADDED_MAX, TOPPINGS_MAX * topping);
}
