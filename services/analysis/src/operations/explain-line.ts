import { withoutBarcodes } from "../domain/barcode/barcode-line.ts";
import type { FoundFood as FoundPart } from "../domain/composition/read-part.ts";
import { scaleNutrients } from "../domain/foods/food.ts";
import type { Food } from "../domain/foods/food.ts";
import type { ImportedFood } from "../domain/foods/imported-food.ts";
import type { Amount } from "../domain/segmentation/amount.ts";
import type { LookUps } from "../retrieval/look-ups.ts";
import type { ExplainedLine, ExplainedPart, FoundFood, LineResult } from "./food-reader.ts";
import { type Meter, readLines } from "./read-lines.ts";

export const QUERY_CHARACTERS_MAX = 200;
const ALTERNATIVES_MAX = 5;
const ALONE = { details: "", correction: "", biasFactor: 1, remembered: [], hasModel: false };

/** Explains how the food tables read a line. */
export async function explainLine(
  lookUps: LookUps,
  line: string,
  meter: Meter,
): Promise<ExplainedLine> {
  const { reader } = lookUps;
  const { results, occasions } = await readLines(lookUps, { lines: [line], ...ALONE }, meter);
  // The product of a barcode is in the result; the parts are those of the remaining text.
  const extraFoods = await lookUps.foodsFor(meter(0, () => reader.unanswered(line)));
  const reading = meter(0, () => reader.read(withoutBarcodes(line), extraFoods));
  return {
    result: results[0] as LineResult,
    occasion: occasions[0] ?? "",
    parts: await Promise.all(reading.foods.map((found) => explain(found, lookUps))),
    unknown: reading.unknown,
  };
}

async function explain(
  { text, match, amount, weight }: FoundPart,
  lookUps: LookUps,
): Promise<ExplainedPart> {
  const { food } = match;
  const query = text.slice(0, QUERY_CHARACTERS_MAX);
  const found = await searchFoods(lookUps, { text: query, limit: ALTERNATIVES_MAX + 1 });
  const others = found.filter(
    (other) => other.food.reference !== food.reference || other.food.name !== food.name,
  );
  return {
    text,
    amount: amountText(amount),
    food,
    grams: weight.grams,
    assumption: weight.assumption ?? "",
    nutrients: scaleNutrients(food.per100Grams, weight.grams / 100),
    matchConfidence: match.score,
    portionConfidence: weight.certainty,
    alternatives: others.slice(0, ALTERNATIVES_MAX),
  };
}

/** The foods of all tables that match a text, best first. */
export async function searchFoods(
  { search }: LookUps,
  { text, limit }: { text: string; limit: number },
): Promise<FoundFood[]> {
  const found = await search.search(text, limit);
  return found.map(({ food, score }) => ({ food: withOwnFigures(food), score }));
}

/** The food as a plain object, which can be sent to another thread: those that ship parse figures on demand. */
function withOwnFigures(food: Food | ImportedFood): Food | ImportedFood {
  if (!("gtin" in food)) return food;
  const { reference, name, source, brand, gtin, per100Grams, portions } = food;
  return { reference, name, source, brand, gtin, per100Grams, portions };
}

/** The amount as it was read: "2 × slice", "1 × 150 g", "large". */
function amountText({ count, counted, measure, unit, size }: Amount): string {
  const one =
    measure?.kind === "mass"
      ? `${number(measure.grams)} g`
      : measure && `${number(measure.milliliters)} ml`;
  const what = [size, one ?? unit].filter((word) => word !== undefined).join(" ");
  if (!counted && one === undefined) return what;
  return what === "" ? number(count) : `${number(count)} × ${what}`;
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}
