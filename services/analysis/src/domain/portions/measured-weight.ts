import { densityOf, isSolid } from "../foods/food.ts";
import type { Food } from "../foods/food.ts";
import { assumed, certain } from "./portion-assumption.ts";
import type { PortionWeight } from "./portion-assumption.ts";
import { findCut, FLUID_OUNCE_ML, isOunce } from "../text/units.ts";
import type { Measure } from "../text/units.ts";

/** Density in g/ml of solid food in pieces, if nothing better is known. */
const PIECES_DENSITY = 0.6;
/** Ounces per gram: recovers the number of ounces, which are fluid ounces for a drink. */
const FLUID_OUNCES_PER_GRAM = 1 / 28.349_523;
const NO_WORDS: ReadonlySet<string> = new Set();

/** The weight of an amount in grams, cups or the like; `words` may say how the food was cut. */
export function weighMeasure(
  food: Food,
  count: number,
  measure: Measure,
  words = NO_WORDS,
): PortionWeight {
  if (measure.kind === "mass") {
    const isFluid = isOunce(measure) && !isSolid(food);
    const fluid = FLUID_OUNCES_PER_GRAM * FLUID_OUNCE_ML * (food.gramsPerMilliliter ?? 1);
    const share = isFluid ? fluid : drainedShare(food, count * measure.grams, words);
    return certain(count * measure.grams * share, 1);
  }
  const listed = listedMeasure(food, measure.portion, words);
  if (listed !== undefined) return certain(count * listed, 0.97);
  const density = densityOf(food);
  const grams = count * measure.milliliters * (density ?? PIECES_DENSITY);
  return density === undefined ? assumed(food, grams, 0.45) : certain(grams, 0.96);
}

/** Grams of a cup or spoon, preferably of the food as it was cut: `sliced cup`. */
function listedMeasure(food: Food, portion: string | undefined, words: ReadonlySet<string>) {
  if (portion === undefined) return undefined;
  const cuts = [...words].map((word) => food.portions.get(`${findCut(word)} ${portion}`));
  return cuts.find((grams) => grams !== undefined) ?? food.portions.get(portion);
}

const CANS = ["can", "tin"] as const;

/**
 * The part of a can's net weight that remains after draining. 1 if the line mentions no drained can, or
 * already states the drained weight.
 */
function drainedShare({ portions }: Food, grams: number, words: ReadonlySet<string>): number {
  const drained = portions.get("drained can");
  const whole = portions.get("net can");
  const isDrained = words.has("drained") && CANS.some((can) => words.has(can));
  if (!isDrained || drained === undefined || whole === undefined) return 1;
  return Math.abs(grams - whole) < Math.abs(grams - drained) ? drained / whole : 1;
}
