import { densityOf, EACH, type Food, isSolid } from "../foods/food.ts";
import { singular } from "../text/words.ts";
import { FLUID_OUNCE_ML, SIZE_FACTORS, findCut, isOunce } from "../text/quantities.ts";
import type { Measure } from "../text/quantities.ts";

/** The weight of a portion and its certainty. */
export interface PortionWeight {
  readonly grams: number;
  /** 0 to 1. */
  readonly certainty: number;
  /** What was assumed, such as `28 g per slice of white bread`; undefined if nothing was. */
  readonly assumption: string | undefined;
}

/** Portion that a whole ingredient yields: the juice of a lemon. */
const YIELD = "yield";

/** A weight without assumptions. */
function certain(grams: number, certainty: number): PortionWeight {
  return { grams, certainty, assumption: undefined };
}

/** The assumed weight of one unit, or of the whole portion if there is no unit. */
export function assumed(
  food: Food,
  grams: number,
  certainty: number,
  per?: { unit: string; count: number },
): PortionWeight {
  const one = formatGrams(grams / (per?.count || 1));
  const assumption =
    per && per.unit !== YIELD
      ? `${one} per ${nameOf(food, per.unit)}`
      : `${one} of ${food.name}${per ? ` per ${food.name.split(" ", 1).join("")}` : ""}`;
  return { grams, certainty, assumption };
}

function nameOf(food: Food, unit: string): string {
  if (unit === EACH) return food.name.split(" ").map(singular).join(" ");
  return unit in SIZE_FACTORS ? `${unit} ${food.name}` : `${unit} of ${food.name}`;
}

function formatGrams(grams: number): string {
  return `${grams < 10 ? Math.round(grams * 10) / 10 : Math.round(grams)} g`;
}

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

/** The share of a drained can's net weight that remains; 1 for anything else, or a drained weight. */
function drainedShare({ portions }: Food, grams: number, words: ReadonlySet<string>): number {
  const drained = portions.get("drained can");
  const whole = portions.get("net can");
  const isDrained = words.has("drained") && (words.has("can") || words.has("tin"));
  if (!isDrained || drained === undefined || whole === undefined) return 1;
  return Math.abs(grams - whole) < Math.abs(grams - drained) ? drained / whole : 1;
}
