import type { Amount } from "./amount.ts";
import { EACH, servingGrams, SPLASH, TOPPING } from "./food.ts";
import type { Food } from "./food.ts";
import type { Role } from "./line-parts.ts";
import { singular } from "./spelling.ts";
import { CUP, FLUID_OUNCE_ML, isOunce, SIZE_FACTORS, VESSEL_CUPS, VESSEL_ML } from "./units.ts";
import type { Measure } from "./units.ts";

/** What a portion weighs and how sure that is. */
export interface PortionWeight {
  readonly grams: number;
  /** 0 to 1. */
  readonly certainty: number;
  /** What was assumed, such as `28 g per slice of white bread`; undefined when nothing was. */
  readonly assumption: string | undefined;
}

/** How the food stands in its line. */
export interface PortionContext {
  readonly role: Role;
  /** The main food of the line; undefined when this is it. */
  readonly main: { readonly food: Food; readonly amount: Amount } | undefined;
}

/** Grams per milliliter of solid food in pieces, where nothing better is known. */
const PIECES_DENSITY = 0.6;
/** Most that additions are multiplied by: butter on each of 4 slices. */
const ADDITIONS_MAX = 6;
const KITCHEN_MEASURES = ["cup", "tbsp", "tsp"] as const;
const KITCHEN_MEASURE_ML: Readonly<Record<string, number>> = {
  cup: 236.588,
  tbsp: 14.787,
  tsp: 4.929,
};
const SIZE_NAMES: ReadonlySet<string> = new Set(Object.keys(SIZE_FACTORS));
const VESSELS: ReadonlySet<string> = new Set(["glass", "mug", "cup"]);

/** What the amount of a food weighs, from its own portions first and from what is usual after. */
export function weighPortion(food: Food, amount: Amount, context: PortionContext): PortionWeight {
  if (amount.measure) return weighMeasure(food, amount.count, amount.measure);
  if (amount.unit) return weighUnit(food, amount, amount.unit);
  if (amount.size) return weighSize(food, amount);
  if (amount.counted) return weighCount(food, amount.count);
  return weighUnsaid(food, context);
}

function weighMeasure(food: Food, count: number, measure: Measure): PortionWeight {
  if (measure.kind === "mass") {
    const isFluid = isOunce(measure) && !isSolid(food);
    const ounceGrams = FLUID_OUNCE_ML * (food.gramsPerMilliliter ?? 1);
    return certain(count * (isFluid ? ounceGrams : measure.grams), 1);
  }
  const listed = measure.portion === undefined ? undefined : food.portions.get(measure.portion);
  if (listed !== undefined) return certain(count * listed, 0.97);
  const density = densityOf(food);
  const grams = count * measure.milliliters * (density ?? PIECES_DENSITY);
  return density === undefined ? assumed(food, grams, 0.45) : certain(grams, 0.96);
}

/** Grams per milliliter, from the density or from a cup or a spoon of the food. */
function densityOf(food: Food): number | undefined {
  if (food.gramsPerMilliliter !== undefined) return food.gramsPerMilliliter;
  for (const portion of KITCHEN_MEASURES) {
    const grams = food.portions.get(portion);
    if (grams !== undefined) return grams / (KITCHEN_MEASURE_ML[portion] ?? 1);
  }
  return undefined;
}

function weighUnit(food: Food, amount: Amount, unit: string): PortionWeight {
  const { count, size } = amount;
  const sized = size && VESSELS.has(unit) ? food.portions.get(size) : undefined;
  if (sized !== undefined)
    return assumed(food, count * sized, 0.88, { unit: `${size} ${unit}`, count });
  const factor = size ? SIZE_FACTORS[size] : 1;
  const listed = food.portions.get(unit);
  if (listed !== undefined) return assumed(food, count * listed * factor, 0.92, { unit, count });
  const vessel = vesselGrams(food, unit);
  if (vessel !== undefined) return assumed(food, count * vessel * factor, 0.7, { unit, count });
  if (unit === "half" || unit === "quarter") {
    const share = unit === "half" ? 1 / 2 : 1 / 4;
    return assumed(food, count * share * wholeGrams(food), 0.8, { unit, count });
  }
  const fallback = unit === "serving" ? servingGrams(food) : wholeGrams(food);
  return assumed(food, count * fallback * factor, unit === "serving" ? 0.75 : 0.55, {
    unit,
    count,
  });
}

function vesselGrams(food: Food, unit: string): number | undefined {
  const density = densityOf(food);
  if (!isSolid(food)) {
    const milliliters = VESSEL_ML.get(unit);
    return milliliters === undefined ? undefined : milliliters * (density ?? 1);
  }
  const cups = VESSEL_CUPS.get(unit);
  const cupMilliliters = CUP.kind === "volume" ? CUP.milliliters : 0;
  return cups === undefined || density === undefined ? undefined : cups * cupMilliliters * density;
}

function weighSize(food: Food, amount: Amount): PortionWeight {
  const size = amount.size ?? "medium";
  const listed = food.portions.get(size);
  if (listed !== undefined)
    return assumed(food, amount.count * listed, 0.95, { unit: size, count: amount.count });
  const grams = amount.count * wholeGrams(food) * SIZE_FACTORS[size];
  return assumed(food, grams, 0.75, { unit: size, count: amount.count });
}

function weighCount(food: Food, count: number): PortionWeight {
  const each = food.portions.get(EACH) ?? (isSolid(food) ? food.portions.get("medium") : undefined);
  if (each !== undefined) return assumed(food, count * each, 0.93, { unit: "each", count });
  const piece = food.portions.get("slice") ?? food.portions.get("piece");
  if (piece !== undefined && isSolid(food)) {
    return assumed(food, count * piece, 0.7, { unit: "piece", count });
  }
  const certainty = isSolid(food) ? 0.6 : 0.8;
  return assumed(food, count * servingGrams(food), certainty, { unit: "serving", count });
}

function isSolid(food: Food): boolean {
  return food.kind === "food";
}

/** One whole thing, or else a serving. */
function wholeGrams(food: Food): number {
  return food.portions.get(EACH) ?? food.portions.get("medium") ?? servingGrams(food);
}

function weighUnsaid(food: Food, { role, main }: PortionContext): PortionWeight {
  const serving = servingGrams(food);
  if (role === "main" || !main) return assumed(food, serving, role === "main" ? 0.82 : 0.75);
  const intoDrink = !isSolid(main.food);
  // "Milk and cookies" is a glass of milk; "cookies with milk" need not be.
  if (role === "companion" && !isSolid(food) && !intoDrink) return assumed(food, serving, 0.75);
  const added = intoDrink ? food.portions.get(SPLASH) : food.portions.get(TOPPING);
  if (added === undefined) return assumed(food, serving, 0.72);
  return assumed(food, added * additionCount(main.food, main.amount), 0.78);
}

/** Butter goes on every slice, milk into every cup; on anything else additions come once. */
function additionCount(food: Food, amount: Amount): number {
  const onEach = !isSolid(food) || food.group === "bakery";
  if (!onEach || amount.measure) return 1;
  return Math.min(ADDITIONS_MAX, Math.max(1, amount.count));
}

function certain(grams: number, certainty: number): PortionWeight {
  return { grams, certainty, assumption: undefined };
}

/** What one of the units is assumed to weigh; without a unit, what the whole portion is. */
function assumed(
  food: Food,
  grams: number,
  certainty: number,
  per?: { unit: string; count: number },
): PortionWeight {
  const one = formatGrams(grams / (per?.count || 1));
  const assumption = per ? `${one} per ${nameOf(food, per.unit)}` : `${one} of ${food.name}`;
  return { grams, certainty, assumption };
}

function nameOf(food: Food, unit: string): string {
  if (unit === EACH) return food.name.split(" ").map(singular).join(" ");
  return SIZE_NAMES.has(unit) ? `${unit} ${food.name}` : `${unit} of ${food.name}`;
}

function formatGrams(grams: number): string {
  return `${grams < 10 ? Math.round(grams * 10) / 10 : Math.round(grams)} g`;
}
