import type { FoundFood, ReadPart } from "./read-part.ts";
import { words } from "../text/words.ts";
import { NO_AMOUNT } from "../segmentation/amount.ts";
import { hasAmount } from "../segmentation/parsed-line.ts";
import { TOPPING, isFat, isSolid } from "../foods/food.ts";
import type { Food } from "../foods/food.ts";
import { weighPortion } from "../portions/portion-weight.ts";

/** Flavorings served in plain water, with negligible energy. */
const AROMAS: ReadonlySet<string> = new Set([
  ...words("lemon lime orange cucumber ice mint"),
  "lemon juice",
  "lime juice",
  "fresh basil",
]);
/** Maximum grams of a flavoring whose amount is stated, as of a slice or a squeeze. */
const AROMA_MAX = 15;

/** Water with a slice of lemon, lime, orange or cucumber, a leaf of mint or ice is the water alone. */
export function withoutAromas(foods: readonly FoundFood[]): readonly FoundFood[] {
  const [main, ...rest] = foods;
  if (main?.match.food.kind !== "water") return foods;
  const isAroma = ({ match, weight, amount }: FoundFood) =>
    AROMAS.has(match.food.name) && (!amount.counted || weight.grams <= AROMA_MAX);
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

/**
 * Drops cooking and packing media: the figures of a fried egg include the butter in "eggs fried in
 * butter", and in "tomatoes in juice", "tuna in water" and "oats made with water" the liquid is not
 * a drink.
 */
export function withoutMedium(parts: readonly ReadPart[]): readonly ReadPart[] {
  const main = parts[0]?.match?.food;
  if (!main) return parts;
  const isFried = FRIED.test(main.name);
  const isRoasted = ROASTED.test(main.name) && (main.per100Grams.fat ?? 0) >= ROASTING_FAT;
  return parts.filter((part) => {
    const isPlainFat = part.match !== undefined && isFat(part.match.food) && !hasAmount(part);
    const isMedium = part.isMedium && isFried;
    const isRoastedWith = part.role === "addition" && isRoasted;
    if (isPlainFat && (isMedium || isRoastedWith)) return false;
    // Water that a food was mixed with.
    const isMixed =
      (part.role === "addition" || part.isMedium) && part.match?.food.kind === "water";
    return part.match?.food === main || hasAmount(part) || !(isMixed || isPackingOf(main, part));
  });
}

function isPackingOf(main: Food, { isMedium, match }: ReadPart): boolean {
  const isLiquid = match?.food.kind === "water" || match?.food.name.endsWith("juice") === true;
  return isLiquid && isMedium && PACKED.has(main.group);
}

/**
 * "Popcorn with butter, 4 cups", "porridge with honey 300 g", "water with lime 500 ml", "peaches in
 * juice, 1 cup": an amount this large, or of what a food is packed in, belongs to the whole.
 */
export function withAmountOfWhole(parts: readonly ReadPart[]): readonly ReadPart[] {
  const [main, ...rest] = parts;
  if (!main?.match || hasAmount(main)) return parts;
  const { food } = main.match;
  const isOfWhole = (part: ReadPart) => isPackingOf(food, part) || isTooMuch(part, food);
  const at = rest.findIndex((part) => hasAmount(part) && isOfWhole(part));
  const other = rest[at];
  if (!other) return parts;
  return [{ ...main, amount: other.amount }, ...rest.with(at, { ...other, amount: NO_AMOUNT })];
}

function isTooMuch({ match, role, amount }: ReadPart, main: Food): boolean {
  if (!match || role !== "addition") return false;
  const { food } = match;
  const { grams } = weighPortion(food, amount, { role, main: undefined });
  const topping = food.portions.get(TOPPING) ?? Infinity;
  const isWater = main.kind === "water" && isSolid(food) && amount.measure?.kind === "volume";
  return grams > ADDED_MAX && (isFat(food) || isWater || grams > TOPPINGS_MAX * topping);
}
