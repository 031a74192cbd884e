import { asWritten, commentOf, refusalOf } from "./refusal.ts";
import { confidenceOf, trustInNames } from "./confidence.ts";
import { lineAsRemarked, namesFood } from "../remarks/remarked-line.ts";
import type { LineRemarks, RemarkedLine } from "../remarks/remarked-line.ts";
import { cannotTell } from "./estimate.ts";
import type { LineResult } from "./estimate.ts";
import type { Food } from "../foods/food.ts";
import type { FoundFood } from "../composition/read-part.ts";
import { hasImpossibleAmount } from "../text/written-forms.ts";
import type { LineReader, LineReading } from "../line-reader.ts";
import { addNutrients, NO_NUTRIENTS, scaleNutrients } from "../foods/nutrients.ts";
import { withoutAromas } from "../composition/cooking-fat.ts";
import { wordsOfLine } from "../segmentation/parsed-line.ts";
import { wordsOf } from "../text/tokens.ts";

/** One line to estimate from the food table. */
export interface TableInput extends LineRemarks {
  /** Factor for estimated figures; never applied to exact ones. */
  readonly biasFactor: number;
  /** Foods of other tables, fetched for names that the curated table lacks. */
  readonly extraFoods?: readonly Food[];
}

/** A reading of a line, and how far to trust it. */
interface Understanding {
  readonly reading: LineReading;
  readonly trust: number;
  /** Remarks beside the assumptions. */
  readonly notes: readonly string[];
}

const NOT_USED_TRUST = 0.85;
/** Trust in a line with an unknown brand or place, whose figures may differ. */
const NOT_KNOWN_TRUST = 0.95;
const NOT_CORRECTED_TRUST = 0.7;

/** Estimates the line and its remarks from the food table, or says why it cannot. */
export function estimateFromTable(input: TableInput, reader: LineReader): LineResult {
  if (wordsOf(reader.tokensOf(input.line)).length === 0) {
    return cannotTell("Name a food, such as “2 boiled eggs”.");
  }
  const corrected = lineAsRemarked(input, reader);
  if (hasImpossibleAmount(input.correction === "" ? input.line : input.correction)) {
    return cannotTell("Give an amount above 0.");
  }
  const { reading, trust, notes } = understand(corrected, input, reader);
  const problem = refusalOf(reading, input.line, reader);
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
    confidence: confidenceOf(reading, trust),
    comment: commentOf(
      { ...reading, unknown: reading.unknown.map((text) => asWritten(text, input.line)) },
      notes,
    ),
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

function understand(
  { line, factor, unusedDetails, unusedCorrection }: RemarkedLine,
  { extraFoods }: TableInput,
  reader: LineReader,
): Understanding {
  const read = reader.understand(line, extraFoods);
  const said = wordsOfLine(line);
  const foods = withoutAromas(read.foods).map((found) => scaled(found, factor));
  const known = unusedDetails.filter((clause) => namesFood(clause, reader));
  const isRefused = unusedCorrection.length > 0;
  const trust =
    NOT_USED_TRUST ** (known.length + read.notLeftOut.length) *
    NOT_KNOWN_TRUST ** (unusedDetails.length - known.length) *
    (isRefused ? NOT_CORRECTED_TRUST : 1) *
    trustInNames(foods, reader);
  const notes = [
    ...clause("could not leave out", read.notLeftOut),
    ...clause("did not use", known),
    ...clause("could not use the correction", unusedCorrection),
    ...(isMealWithoutDrink(said, foods) ? ["counted no drink"] : []),
    ...(factor === 1 ? [] : [`took ${Math.round(factor * 100)}% of the amount`]),
  ];
  return { reading: { ...read, foods }, trust, notes };
}

/** A meal whose fries were counted, with no drink named. */
function isMealWithoutDrink(said: ReadonlySet<string>, foods: readonly FoundFood[]): boolean {
  const isMeal = said.has("meal") || said.has("combo");
  const holdsFries = foods.some(({ match }) => match.food.name === "french fries");
  return isMeal && holdsFries && foods.every(({ match }) => match.food.kind === "food");
}

function scaled(found: FoundFood, factor: number): FoundFood {
  const { weight } = found;
  return factor === 1 ? found : { ...found, weight: { ...weight, grams: weight.grams * factor } };
}

const TEXT_SHOWN_MAX = 60;

function clause(what: string, texts: readonly string[]): string[] {
  const shown = texts.map((text) => [...text].slice(0, TEXT_SHOWN_MAX).join(""));
  return shown.length === 0 ? [] : [`${what} ${shown.map((text) => `“${text}”`).join(", ")}`];
}

function totalMilliliters(foods: readonly FoundFood[]): number {
  return foods.reduce(
    (total, { match, weight }) => total + weight.grams / (match.food.gramsPerMilliliter ?? 1),
    0,
  );
}
