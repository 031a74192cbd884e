import { withoutAromas } from "../composition/uncounted.ts";
import type { FoundFood } from "../composition/read-part.ts";
import type { Food } from "../foods/food.ts";
import { LINE_STEPS_MAX, type LineReader } from "../line-reader.ts";
import { lineAsRemarked, type LineRemarks, namesFood } from "../remarks/remarked-line.ts";
import { wordsOfLine } from "../segmentation/parsed-line.ts";
import { wordsOf } from "../text/tokens.ts";
import { hasImpossibleAmount } from "../text/written-forms.ts";
import { confidenceOf } from "./confidence.ts";
import { cannotTell, totalOf, withNote, clause, commentOf, quote, refusalOf } from "./estimate.ts";
import type { LineResult } from "./estimate.ts";
import {
  estimateRemembered,
  estimateStated,
  findDoubtedZero,
  readStatedFigures,
} from "./own-figures.ts";
import type { RememberedItem } from "./own-figures.ts";

/** One line to estimate, with what is known about it. */
export interface LineInput extends LineRemarks {
  /** Factor for estimated figures; never applied to exact ones. */
  readonly biasFactor: number;
  readonly remembered: readonly RememberedItem[];
  /** Foods of other tables, fetched for names that the curated table lacks. */
  readonly extraFoods?: readonly Food[];
  /** The product that a barcode names, and the text of the other foods; empty for none. */
  readonly product?: FoundFood;
  readonly others?: string;
}

const NOT_EATEN =
  "This does not say that you ate or drank it: write the food and its amount, such as “2 boiled eggs”.";
/** Trust in an estimate that replaces a stated 0 kcal. */
const DOUBTED_TRUST = 0.85;

/**
 * Estimates a line from the first source that has an answer: figures that the correction states,
 * the user's own corrected item for the same phrase, figures that the line or the details state,
 * the food table.
 */
export function estimateLine(input: LineInput, reader: LineReader): LineResult {
  return reader.work.within(LINE_STEPS_MAX, () => estimate(input, reader));
}

function estimate(input: LineInput, reader: LineReader): LineResult {
  const { line, details, correction } = input;
  const corrected = readStatedFigures(correction);
  if (corrected) return estimateStated(corrected, line, reader);
  const remembered =
    correction === "" ? estimateRemembered(line, input.remembered, reader) : undefined;
  if (remembered) return remembered;
  const ofLine = readStatedFigures(line);
  const figures = ofLine ?? readStatedFigures(details);
  if (!figures) {
    // Who corrects an item has eaten it.
    const isEaten = input.product || correction !== "" || reader.isEaten(line);
    return isEaten ? estimateFromTable(input, reader) : cannotTell(NOT_EATEN);
  }
  const text = ofLine?.rest ?? line;
  const doubted = findDoubtedZero(figures, text, reader);
  if (doubted === undefined) return estimateStated(figures, text, reader);
  const result = estimateFromTable({ ...input, line: doubted, details: "" }, reader);
  return withNote(result, "Did not take the stated 0 kcal.", DOUBTED_TRUST);
}

const NOT_USED_TRUST = 0.85;
/** Trust in a line with an unknown brand or place, whose figures may differ. */
const NOT_KNOWN_TRUST = 0.95;
const NOT_CORRECTED_TRUST = 0.7;
const NO_REMARKS: LineRemarks = { line: "", details: "", correction: "" };

/** Estimates the line and its remarks from the food table, or says why it cannot. */
function estimateFromTable(input: LineInput, reader: LineReader): LineResult {
  const { line, correction, product, others = line } = input;
  if (!product && wordsOf(reader.tokensOf(line)).length === 0) {
    return cannotTell("Name a food, such as “2 boiled eggs”.");
  }
  if (hasImpossibleAmount(correction || line)) {
    return cannotTell("Give an amount above 0.");
  }
  // What is said of a product alone is its amount.
  const remarks = others === "" ? NO_REMARKS : { ...input, line: others };
  const remarked = lineAsRemarked(remarks, reader);
  const { factor, unusedDetails, unusedCorrection } = remarked;
  const read = reader.understand(remarked.line, input.extraFoods);
  const beside = withoutAromas(read.foods).map((found) => scaled(found, factor));
  const foods = product ? [product, ...beside] : beside;
  const unknown = read.unknown.filter((text) => text !== "");
  const reading = { ...read, foods, unknown, mainUnknown: !product && read.mainUnknown };
  const problem = refusalOf(reading, line, reader);
  if (problem) return problem;
  const known = unusedDetails.filter((clause) => namesFood(clause, reader));
  const trust =
    NOT_USED_TRUST ** (known.length + read.notLeftOut.length) *
    NOT_KNOWN_TRUST ** (unusedDetails.length - known.length) *
    (unusedCorrection.length > 0 ? NOT_CORRECTED_TRUST : 1);
  const notes = [
    ...clause("could not leave out", read.notLeftOut.map(quote)),
    ...clause("did not use", known.map(quote)),
    ...clause("could not use the correction", unusedCorrection.map(quote)),
    ...(isMealWithoutDrink(wordsOfLine(remarked.line), foods) ? ["counted no drink"] : []),
    ...(factor === 1 ? [] : [`took ${Math.round(factor * 100)}% of the amount`]),
  ];
  const eaten = foods.map(({ text, match: { food }, weight: { grams } }) => ({
    text,
    food,
    grams,
  }));
  return {
    kind: "estimate",
    ...totalOf(eaten, input.biasFactor),
    confidence: confidenceOf(reading, trust),
    comment: commentOf(reading, notes, line),
    provenance: "food_table",
  };
}

function scaled(found: FoundFood, factor: number): FoundFood {
  return { ...found, weight: { ...found.weight, grams: found.weight.grams * factor } };
}

/** A meal whose fries were counted, with no drink named. */
function isMealWithoutDrink(said: ReadonlySet<string>, foods: readonly FoundFood[]): boolean {
  const isMeal = said.has("meal") || said.has("combo");
  const holdsFries = foods.some(({ match }) => match.food.name === "french fries");
  return isMeal && holdsFries && foods.every(({ match }) => match.food.kind === "food");
}
