import { cannotTell } from "./estimate.ts";
import type { LineResult } from "./estimate.ts";
import { NAMED_SCORE } from "../remarks/remark-foods.ts";
import type { LineReader } from "../line-reader.ts";
import { scaleNutrients } from "../foods/nutrients.ts";
import { STATED_CALORIES_MAX } from "./stated-figures.ts";
import type { StatedFigures } from "./stated-figures.ts";

const STATED_CONFIDENCE = 1;
/** Energy in kcal from which a food stated to have none is doubted. */
const NO_ENERGY_MAX = 30;
/** "For this" before the food that stated figures refer to. */
const POINTING = /^\s*(?:(?:for|of|in|to|this|that|my|the|these|those)\s+)+/iu;

/** The stated figures, scaled to the amount of the line. */
export function estimateStated(
  figures: StatedFigures,
  line: string,
  reader: LineReader,
): LineResult {
  const factor = statedFactor(figures, line, reader);
  if (factor === undefined) {
    return cannotTell("The figures are per 100 g: add how much it was, such as “60 g”.");
  }
  const nutrients = scaleNutrients(figures.nutrients, factor);
  if (!(nutrients.calories <= STATED_CALORIES_MAX)) {
    return cannotTell(`State at most ${STATED_CALORIES_MAX} kcal in one line.`);
  }
  return {
    kind: "estimate",
    nutrients,
    isWater: false,
    waterMilliliters: 0,
    confidence: STATED_CONFIDENCE,
    comment: "",
    provenance: "stated",
    components: [],
  };
}

/**
 * The food that the text states to have 0 kcal although the food table has energy for it; undefined
 * if the figures are plausible. `rest` is the text without them.
 */
export function findDoubtedZero(
  figures: StatedFigures,
  rest: string,
  reader: LineReader,
): string | undefined {
  if (figures.nutrients.calories >= 1) return undefined;
  // In "log 0 kcal for this burger", the food is on one side of the figure.
  return [rest, ...rest.split(",")].find((text) => hasEnergy(text, reader));
}

function hasEnergy(text: string, reader: LineReader): boolean {
  const { foods, unknown } = reader.read(text.replace(POINTING, ""));
  if (unknown.length > 0 || foods.some(({ match }) => match.score < NAMED_SCORE)) return false;
  const calories = foods.map(
    ({ match, weight }) => (match.food.per100Grams.calories * weight.grams) / 100,
  );
  return calories.some((amount) => amount > NO_ENERGY_MAX);
}

function statedFactor(figures: StatedFigures, line: string, reader: LineReader) {
  const { amount } = reader.quantify(line);
  if (figures.basis === "line") return 1;
  if (figures.basis === "each") return amount.count;
  if (amount.measure?.kind === "mass") return (amount.count * amount.measure.grams) / 100;
  if (amount.measure) return (amount.count * amount.measure.milliliters) / 100;
  const { foods } = reader.read(line);
  if (foods.length === 0) return undefined;
  return foods.reduce((total, { weight }) => total + weight.grams, 0) / 100;
}
