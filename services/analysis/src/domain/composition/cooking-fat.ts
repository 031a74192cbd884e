import { NO_AMOUNT } from "../segmentation/amount.ts";
import { isFat, TOPPING } from "../foods/food.ts";
import type { Food } from "../foods/food.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import type { FoundFood, ReadPart } from "./read-part.ts";
import { weighPortion } from "../portions/portion-weight.ts";
import { hasAmount } from "./read-part.ts";
import { words } from "../text/words.ts";

/** Words that say fat was used. */
const FRYING = words("fried sauteed frying");
const FRYING_FAT = "vegetable oil";
/** Foods whose figures have the fat they were cooked in; the second ones where they hold some. */
const FRIED = /fried|scrambled|omelette/;
const ROASTED = /roasted|sauteed|stir fr/;
const ROASTING_FAT = 2;
/** Grams per 100 g from which a food has its cooking fat already. */
const FAT_COUNTED_IN = 7;
/** Groups of foods that are sold in water or juice, and of those that water is added to. */
const PACKED = words("fruit vegetables legumes fish");
const MIXED_WITH_WATER = words("grains fats-sauces supplements");
/** Most grams of fat, or of what goes onto food, that are added to one. */
const ADDED_MAX = 100;
/** Portions on other food that nobody adds together. */
const TOPPINGS_MAX = 8;

/**
 * "Eggs fried in butter": the figures of a fried egg have the fat that it was fried in. "Tomatoes in
 * juice", "tuna in water" and "oats made with water" are no drink either.
 */
export function withoutMedium(parts: readonly ReadPart[]): readonly ReadPart[] {
  const main = parts[0]?.match?.food;
  if (!main) return parts;
  const isFried = FRIED.test(main.name);
  const isRoasted = ROASTED.test(main.name) && (main.per100Grams.fat ?? 0) >= ROASTING_FAT;
  return parts.filter((part) => {
    const isPlainFat = part.match !== undefined && isFat(part.match.food) && !hasAmount(part);
    const isMedium = part.part.isMedium && isFried;
    const isRoastedWith = part.part.role === "addition" && isRoasted;
    if (isPlainFat && (isMedium || isRoastedWith)) return false;
    return part.match?.food === main || hasAmount(part) || !isLiquidOf(main, part);
  });
}

/** Whether the part is what a food was packed in, or the water that a dry one was mixed with. */
function isLiquidOf(main: Food, { part, match }: ReadPart): boolean {
  if (!match || main.kind !== "food") return false;
  const { kind, name } = match.food;
  const isPacked = part.isMedium && PACKED.has(main.group);
  const isMixed = part.role === "addition" && MIXED_WITH_WATER.has(main.group);
  return kind === "water" ? isPacked || isMixed : isPacked && name.endsWith("juice");
}

/**
 * "Popcorn with butter, 4 cups", "porridge with honey 300 g": so much is no addition, the amount is of
 * the whole.
 */
export function withAmountOfWhole(parts: readonly ReadPart[]): readonly ReadPart[] {
  const [main, ...rest] = parts;
  if (!main?.match || hasAmount(main)) return parts;
  const fat = rest.find((part) => part.part.role === "addition" && isTooMuch(part));
  if (!fat) return parts;
  const unsaid = { ...fat, amount: NO_AMOUNT };
  return [{ ...main, amount: fat.amount }, ...rest.map((part) => (part === fat ? unsaid : part))];
}

function isTooMuch(part: ReadPart): boolean {
  const food = part.match?.food;
  if (!food || !hasAmount(part)) return false;
  const { grams } = weighPortion(food, part.amount, { role: "addition", main: undefined });
  const topping = food.portions.get(TOPPING) ?? Infinity;
  return grams > ADDED_MAX && (isFat(food) || grams > TOPPINGS_MAX * topping);
}

/** "Fried" with no fat named takes some oil, unless the food has its fat already. */
export function withFryingFat(foods: readonly FoundFood[], index: FoodIndex): readonly FoundFood[] {
  const fried = foods.find(({ match }) => match.unmatched.some((word) => FRYING.has(word)));
  const oil = index.findByName(FRYING_FAT);
  if (!fried || !oil || (fried.match.food.per100Grams.fat ?? 0) >= FAT_COUNTED_IN) return foods;
  if (foods.some(({ match }) => isFat(match.food))) return foods;
  const main = { food: fried.match.food, amount: fried.amount };
  const portion = weighPortion(oil, NO_AMOUNT, { role: "addition", main });
  const weight = { ...portion, assumption: `${portion.assumption ?? FRYING_FAT} for frying` };
  const match = { food: oil, score: 0.9, unmatched: [] };
  return [...foods, { text: "fried", match, amount: NO_AMOUNT, weight }];
}
