import type { Size } from "../text/quantities.ts";
import type { Amount } from "../segmentation/amount.ts";
import { densityOf, EACH, isSolid, SERVING, servingGrams, SPLASH, TOPPING } from "../foods/food.ts";
import type { Food } from "../foods/food.ts";
import type { Role } from "../segmentation/parsed-line.ts";
import { assumed, type PortionWeight, weighMeasure } from "./measured-weight.ts";
import {
  CUP_ML,
  MORSEL_GRAMS,
  SHOP_CUP_GRAMS,
  SIZE_FACTORS,
  VESSEL_CUPS,
  VESSEL_ML,
} from "../text/quantities.ts";

/** The context of a food in its line. */
export interface PortionContext {
  readonly role: Role;
  /** The line's main food; absent for the main food itself. */
  readonly main?: { readonly food: Food; readonly amount: Amount } | undefined;
  /** Whether the food is named in the plural. */
  readonly isPlural?: boolean;
  /** Words of the line about the food. */
  readonly words?: ReadonlySet<string>;
}

/** Maximum number of portions of an addition: butter on each of 4 slices. */
const ADDITIONS_MAX = 6;
const PACKAGES: ReadonlySet<string> = new Set(["bag", "box", "packet", "carton", "can", "bar"]);
const SPIRIT_MEASURES: ReadonlySet<string> = new Set(["single", "double"]);
/** Alcohol in g per 100 g from which a drink is a spirit. */
const SPIRIT_ALCOHOL = 20;
/** Grams of mixer in a mixed drink (FNDDS, the drink less its spirit). */
const MIXER_GRAMS = 180;
/** One piece is a portion from this many grams, and within these shares of a usual serving. */
const WHOLE_MIN = 20;
const WHOLE_SHARE_MIN = 0.4;
const WHOLE_SHARE_MAX = 1.6;
const VESSELS: ReadonlySet<string> = new Set(["glass", "mug", "cup", "serving", "order"]);

/** The weight of an amount of a food, by its own portions or else by general ones. */
export function weighPortion(food: Food, amount: Amount, context: PortionContext): PortionWeight {
  if (amount.measure) return weighMeasure(food, amount.count, amount.measure, context.words);
  if (amount.unit) return weighUnit(food, amount, amount.unit);
  if (amount.size) return weighSize(food, amount.count, amount.size);
  if (amount.counted) return weighCount(food, amount.count);
  return weighUnsaid(food, context);
}

function weighUnit(food: Food, amount: Amount, unit: string): PortionWeight {
  const { count, size } = amount;
  const ofSize = size && food.portions.get(`${size} ${unit}`);
  const listed = food.portions.get(unit) ?? (unit === "order" ? servingGrams(food) : undefined);
  // A small head of cabbage is a small cabbage.
  const isOne = VESSELS.has(unit) || (listed !== undefined && listed === food.portions.get(EACH));
  const sized = ofSize ?? (size && isOne ? food.portions.get(size) : undefined);
  if (sized !== undefined)
    return assumed(food, count * sized, 0.88, { unit: `${size} ${unit}`, count });
  // The usual bag or box is the small one.
  const isUsual = size === "small" && PACKAGES.has(unit);
  const factor = size && !isUsual ? SIZE_FACTORS[size] : 1;
  if (listed !== undefined) return assumed(food, count * listed * factor, 0.92, { unit, count });
  const morsel = MORSEL_GRAMS.get(unit);
  if (morsel !== undefined) return assumed(food, count * morsel, 0.6, { unit, count });
  const vessel = vesselGrams(food, unit);
  if (vessel !== undefined) return assumed(food, count * vessel * factor, 0.7, { unit, count });
  const [grams, certainty] =
    unit === SERVING ? [servingGrams(food), 0.75] : [wholeGrams(food), 0.55];
  return assumed(food, count * grams * factor, certainty, { unit, count });
}

function isSpirit(food: Food): boolean {
  return food.alcoholPer100Grams >= SPIRIT_ALCOHOL;
}

/** The contents of a vessel; a double vodka and tonic is one drink with a double measure in it. */
function vesselGrams(food: Food, unit: string): number | undefined {
  const density = densityOf(food);
  if (!isSolid(food)) {
    if (SPIRIT_MEASURES.has(unit) && !isSpirit(food)) return servingGrams(food);
    const milliliters = VESSEL_ML.get(unit);
    return milliliters === undefined ? undefined : milliliters * (density ?? 1);
  }
  const cups = VESSEL_CUPS.get(unit);
  return cups === undefined || density === undefined ? undefined : cups * CUP_ML * density;
}

function weighSize(food: Food, count: number, size: Size): PortionWeight {
  const listed = food.portions.get(size);
  if (listed !== undefined) return assumed(food, count * listed, 0.95, { unit: size, count });
  const isSoftDrink = !isSolid(food) && food.alcoholPer100Grams === 0;
  const cup = isSoftDrink ? SHOP_CUP_GRAMS.get(size) : undefined;
  const grams = count * (cup ?? wholeGrams(food) * SIZE_FACTORS[size]);
  return assumed(food, grams, 0.75, { unit: size, count });
}

function weighCount(food: Food, count: number): PortionWeight {
  const half = count === 1 / 2 ? food.portions.get("half") : undefined;
  if (half !== undefined) return assumed(food, half, 0.9, { unit: "half", count: 1 });
  const each = food.portions.get(EACH);
  if (each !== undefined) return assumed(food, count * each, 0.93, { unit: "each", count });
  const piece = food.portions.get("slice") ?? food.portions.get("piece");
  // Half of a food is not half of one of its pieces.
  if (piece !== undefined && isSolid(food) && count >= 1) {
    return assumed(food, count * piece, 0.7, { unit: "piece", count });
  }
  const certainty = isSolid(food) ? 0.6 : 0.8;
  return assumed(food, count * servingGrams(food), certainty, { unit: "serving", count });
}

/** The weight of one whole piece, or of a serving. */
function wholeGrams(food: Food): number {
  return food.portions.get(EACH) ?? food.portions.get("medium") ?? servingGrams(food);
}

function weighUnsaid(food: Food, { role, main, isPlural }: PortionContext): PortionWeight {
  const serving = servingGrams(food);
  if (role === "main" || !main) {
    // "Croissant" means one piece even if a serving has more, but not one almond or one pizza.
    const each = isSolid(food) && !isPlural ? (food.portions.get(EACH) ?? 0) : 0;
    const share = each / serving;
    const isOne = each >= WHOLE_MIN && share >= WHOLE_SHARE_MIN && share <= WHOLE_SHARE_MAX;
    return assumed(food, isOne ? each : serving, role === "main" ? 0.84 : 0.75);
  }
  const intoDrink = !isSolid(main.food);
  if (isSpirit(main.food) && !isSolid(food) && !isSpirit(food)) {
    return assumed(food, MIXER_GRAMS, 0.78);
  }
  // "Milk and cookies" includes a glass of milk; "cookies with milk" may not.
  if (role === "companion" && !isSolid(food) && !intoDrink) return assumed(food, serving, 0.75);
  const added = intoDrink ? food.portions.get(SPLASH) : food.portions.get(TOPPING);
  if (added === undefined) return assumed(food, serving, 0.72);
  // Butter goes on every slice and milk into every cup; other additions count once.
  const isOnEach = (intoDrink || main.food.group === "bakery") && !main.amount.measure;
  const count = isOnEach ? Math.min(ADDITIONS_MAX, Math.max(1, main.amount.count)) : 1;
  return assumed(food, added * count, 0.78);
}
