import { scaleNutrients } from "../foods/food.ts";
import type { Nutrients } from "../foods/food.ts";
import { cannotTell } from "./estimate.ts";
import type { LineResult } from "./estimate.ts";
import { NAMED_SCORE } from "../remarks/line-changes.ts";
import type { LineReader } from "../line-reader.ts";
import { PHRASES } from "../text/words.ts";

/** Figures stated in a text, and the text without them. */
export interface StatedFigures {
  readonly nutrients: Nutrients;
  /** What the figures refer to. */
  readonly basis: "line" | "each" | "100 g";
  readonly rest: string;
}

const KCAL_PER_KJ = 1 / 4.184;
/** Maximum stated energy in kcal; more is a mistake. */
const STATED_CALORIES_MAX = 10_000;

const NUMBER = String.raw`(?<![\d.,/])(\d{1,6}(?:[.,]\d{1,3})?)`;
/** Energy of food: not "burned 300 calories", "300 calories burned". */
const ENERGY = new RegExp(
  String.raw`(?<!\bburn(?:ed|t)? )${NUMBER} ?(kcals?|kilocalories|calories|calorie|cals?|kj|kilojoules?)\b(?! burn)`,
  "giu",
);

const GRAMS = String.raw`${NUMBER} ?(m?g)\b`;
/** `20 g protein`, `20 g of protein`, `protein: 20 g`: the number and the unit are groups 1 and 2, or 3 and 4. */
const NUTRIENT_PATTERNS = Object.entries({
  protein: "proteins?",
  carbs: "carbs?|carbohydrates?",
  fat: "fats?",
  sugar: "sugars?",
  fiber: "fib(?:er|re)s?",
  sodium: "sodium",
}).map(([field, names]) => {
  const after = String.raw`(?: of)? (?:${names})\b(?! (?:bar|powder|shake))`;
  const pattern = new RegExp(String.raw`${GRAMS}${after}|\b(?:${names}):? ${GRAMS}`, "iu");
  return [field as keyof Nutrients, pattern] as const;
});

/**
 * Reads stated figures such as "210 kcal, 20 g protein"; undefined if no energy is stated. Energy
 * stated more than once is added up. Kilojoules become kcal.
 */
export function readStatedFigures(text: string): StatedFigures | undefined {
  const energies = [...text.matchAll(ENERGY)];
  if (energies.length === 0) return undefined;
  const calories = energies.reduce((total, [, amount, unit]) => {
    const perUnit = /^k(j|ilojoule)/iu.test(unit ?? "") ? KCAL_PER_KJ : 1;
    return total + decimal(amount) * perUnit;
  }, 0);
  let rest = text.replace(ENERGY, ",");
  const stated: Partial<Record<keyof Nutrients, number>> = {};
  for (const [field, pattern] of NUTRIENT_PATTERNS) {
    const found = pattern.exec(rest);
    if (!found) continue;
    const milligrams = (found[2] ?? found[4])?.toLowerCase() === "mg" ? 1 : 1000;
    const amount = decimal(found[1] ?? found[3]) * milligrams;
    stated[field] = field === "sodium" ? amount : amount / 1000;
    rest = rest.replace(pattern, ",");
  }
  const basis = PHRASES.per100.test(text) ? "100 g" : PHRASES.perPiece.test(text) ? "each" : "line";
  rest = rest.replace(PHRASES.per100, " ").replace(PHRASES.perPiece, " ");
  return { nutrients: { calories, ...stated }, basis, rest };
}

function decimal(text: string | undefined): number {
  return Number((text ?? "0").replace(",", "."));
}

/** Energy in kcal from which a food stated to have none is doubted. */
const NO_ENERGY_MAX = 30;

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
    waterMilliliters: 0,
    confidence: 1,
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
  const { foods, unknown } = reader.read(text.replace(PHRASES.pointing, ""));
  if (unknown.length > 0 || foods.some(({ match }) => match.score < NAMED_SCORE)) return false;
  return foods.some(({ match, weight }) => {
    return (match.food.per100Grams.calories * weight.grams) / 100 > NO_ENERGY_MAX;
  });
}

/** What the figures are multiplied by; undefined if it is not known how much was eaten. */
function statedFactor({ basis }: StatedFigures, line: string, reader: LineReader) {
  const { count, measure } = reader.quantify(line).amount;
  if (basis === "line") return 1;
  if (basis === "each") return count;
  if (measure)
    return (count * (measure.kind === "mass" ? measure.grams : measure.milliliters)) / 100;
  const grams = reader.read(line).foods.reduce((total, { weight }) => total + weight.grams, 0);
  return grams > 0 ? grams / 100 : undefined;
}
