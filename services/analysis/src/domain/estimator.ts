import { commentOf } from "./comment.ts";
import { confidenceOf } from "./confidence.ts";
import { lineAsRemarked } from "./corrected-line.ts";
import type { LineRemarks } from "./corrected-line.ts";
import { cannotTell } from "./estimate.ts";
import type { CannotTell, Estimate, LineResult } from "./estimate.ts";
import type { Food } from "./food.ts";
import type { FoundFood } from "./found-food.ts";
import type { LineReader, LineReading } from "./line-reader.ts";
import { addNutrients, NO_NUTRIENTS, scaleNutrients } from "./nutrients.ts";
import { amountRatio } from "./remembered.ts";
import type { RememberedItem } from "./remembered.ts";
import { readStatedFigures, STATED_CALORIES_MAX } from "./stated-figures.ts";
import type { StatedFigures } from "./stated-figures.ts";
import { wordsOf } from "./tokens.ts";

/** One line to estimate, with what is known about it. */
export interface LineInput extends LineRemarks {
  /** Estimated figures are multiplied by this; exact ones never are. */
  readonly biasFactor: number;
  readonly remembered: readonly RememberedItem[];
  /** Foods of other tables, fetched for what the curated one cannot answer. */
  readonly extraFoods?: readonly Food[];
}

/** Least and most that a line may weigh. */
export const GRAMS_MIN = 1;
export const GRAMS_MAX = 5_000;
/** Most that a food weighs whose amount nobody stated. */
const ASSUMED_GRAMS_MAX = 1_500;
const STATED_CONFIDENCE = 1;
const REMEMBERED_CONFIDENCE = 0.97;

/**
 * Estimates a line: figures that the correction states come first, then the user's own corrected
 * item for the same phrase, then figures that the line or the details state, then the food table.
 * A line that none of them can answer is one that cannot be told.
 */
export function estimateLine(input: LineInput, reader: LineReader): LineResult {
  const { line, details, correction } = input;
  const corrected = readStatedFigures(correction);
  if (corrected) return estimateStated(corrected, line, reader);
  const remembered = correction === "" ? estimateRemembered(input, reader) : undefined;
  if (remembered) return remembered;
  const stated = readStatedFigures(line);
  if (stated) return estimateStated(stated, stated.rest, reader);
  const described = readStatedFigures(details);
  if (described) return estimateStated(described, line, reader);
  return estimateFromTable(input, reader);
}

function estimateStated(figures: StatedFigures, line: string, reader: LineReader): LineResult {
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

function statedFactor(figures: StatedFigures, line: string, reader: LineReader) {
  const { amount } = reader.quantify(line);
  if (figures.basis === "line") return 1;
  if (figures.basis === "each") return amount.count;
  if (amount.measure?.kind === "mass") return (amount.count * amount.measure.grams) / 100;
  if (amount.measure) return (amount.count * amount.measure.milliliters) / 100;
  const { foods } = reader.read(line);
  return foods.length === 0 ? undefined : totalGrams(foods) / 100;
}

function estimateRemembered(input: LineInput, reader: LineReader): Estimate | undefined {
  if (input.remembered.length === 0) return undefined;
  const words = wordsIn(input.line, reader);
  const now = reader.quantify(input.line);
  const name = wordsOf(now.name).join(" ");
  // Of "toast with 3 eggs" no one amount scales all.
  const { foods, unknown } = reader.read(input.line);
  const isOneFood = foods.length + unknown.length === 1 && name !== "";
  for (const item of input.remembered) {
    const before = reader.quantify(item.text);
    const isSame = words === "" ? item.text === input.line : wordsIn(item.text, reader) === words;
    const isSameName = isOneFood && wordsOf(before.name).join(" ") === name;
    const ratio = isSame
      ? 1
      : isSameName && amountRatio(now.amount, before.amount, reader.find(now.name));
    if (!ratio) continue;
    return {
      kind: "estimate",
      nutrients: scaleNutrients(item.nutrients, ratio),
      isWater: item.waterMilliliters > 0,
      waterMilliliters: item.waterMilliliters * ratio,
      confidence: REMEMBERED_CONFIDENCE,
      comment: "Used your earlier correction of the same food.",
      provenance: "user_memory",
      components: [],
    };
  }
  return undefined;
}

function wordsIn(line: string, reader: LineReader): string {
  return wordsOf(reader.tokensOf(line)).join(" ");
}

function estimateFromTable(input: LineInput, reader: LineReader): LineResult {
  if (wordsOf(reader.tokensOf(input.line)).length === 0) {
    return cannotTell("Name a food, such as “2 boiled eggs”.");
  }
  const { extraFoods = [] } = input;
  const reading = reader.read(lineAsRemarked(input, reader), { extraFoods });
  const problem = problemOf(reading, input.line);
  if (problem) return problem;
  const { foods } = reading;
  const nutrients = foods
    .map(({ match, weight }) => scaleNutrients(match.food.per100Grams, weight.grams / 100))
    .reduce(addNutrients, NO_NUTRIENTS);
  const isWater = foods.every(({ match }) => match.food.kind === "water");
  return {
    kind: "estimate",
    nutrients: scaleNutrients(nutrients, input.biasFactor),
    isWater,
    waterMilliliters: isWater ? totalMilliliters(foods) : 0,
    confidence: confidenceOf(reading),
    comment: commentOf(reading),
    provenance: "food_table",
    components: foods.map(({ text, match, weight }) => ({
      text,
      foodName: match.food.name,
      reference: match.food.reference,
      grams: weight.grams,
      calories: (match.food.per100Grams.calories * weight.grams) / 100,
    })),
  };
}

function problemOf(reading: LineReading, line: string): CannotTell | undefined {
  const { foods, unknown, mainUnknown } = reading;
  if (foods.length === 0 || mainUnknown || unknown.length > foods.length) {
    const name = shorten(unknown[0] ?? line);
    return cannotTell(
      `No food is known as “${name}”: use a more common name or state its calories.`,
    );
  }
  const grams = totalGrams(foods);
  const isAbsurd = foods.some(({ amount, weight }) => {
    return !amount.counted && !amount.measure && weight.grams > ASSUMED_GRAMS_MAX;
  });
  if (grams >= GRAMS_MIN && grams <= GRAMS_MAX && !isAbsurd) return undefined;
  return cannotTell(
    `Give an amount between ${GRAMS_MIN} g and ${GRAMS_MAX / 1000} kg in one line.`,
  );
}

const NAME_SHOWN_MAX = 60;

function shorten(name: string): string {
  const letters = [...name];
  return letters.length <= NAME_SHOWN_MAX ? name : `${letters.slice(0, NAME_SHOWN_MAX).join("")}…`;
}

function totalGrams(foods: readonly FoundFood[]): number {
  return foods.reduce((total, { weight }) => total + weight.grams, 0);
}

function totalMilliliters(foods: readonly FoundFood[]): number {
  return foods.reduce(
    (total, { match, weight }) => total + weight.grams / (match.food.gramsPerMilliliter ?? 1),
    0,
  );
}
