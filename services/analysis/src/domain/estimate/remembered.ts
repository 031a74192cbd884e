import { scaleNutrients } from "../foods/food.ts";
import type { Food, Nutrients } from "../foods/food.ts";
import type { LineReader } from "../line-reader.ts";
import { weighPortion } from "../portions/portion-weight.ts";
import type { Amount } from "../segmentation/amount.ts";
import { phraseOf } from "../text/tokens.ts";
import type { Estimate } from "./estimate.ts";

/** An item that the user has corrected before. */
export interface RememberedItem {
  /** Text of its line. */
  readonly text: string;
  readonly nutrients: Nutrients;
  /** Volume of plain water in it. */
  readonly waterMilliliters: number;
}

const CONFIDENCE = 0.97;
/** Maximum factor by which a correction is scaled. */
const RATIO_MAX = 20;

/** The nutrition of the first item with the words of the line, or with its one food; scaled to the line. */
export function estimateRemembered(
  line: string,
  items: readonly RememberedItem[],
  reader: LineReader,
): Estimate | undefined {
  if (items.length === 0) return undefined;
  const wordsIn = (text: string) => phraseOf(reader.tokensOf(text));
  const words = wordsIn(line);
  const now = reader.quantify(line);
  const name = phraseOf(now.name);
  // "Toast with 3 eggs" has no single amount that scales the whole line.
  const { foods, unknown } = reader.read(line);
  const isOneFood = foods.length + unknown.length <= 1 && name !== "";
  for (const { text, nutrients, waterMilliliters } of items) {
    const before = reader.quantify(text);
    const isSame = words === "" ? text === line : wordsIn(text) === words;
    const isSameName = isOneFood && phraseOf(before.name) === name;
    const ratio = isSame
      ? 1
      : isSameName && amountRatio(now.amount, before.amount, reader.find(now.name));
    if (!ratio) continue;
    return {
      kind: "estimate",
      nutrients: scaleNutrients(nutrients, ratio),
      waterMilliliters: waterMilliliters * ratio,
      confidence: CONFIDENCE,
      comment: "Used your earlier correction of the same food.",
      provenance: "user_memory",
      components: [],
    };
  }
  return undefined;
}

/**
 * The ratio of the new amount to the remembered one; undefined if they cannot be compared. Amounts
 * of different kinds are only compared by the weights of `food`.
 */
export function amountRatio(
  now: Amount,
  remembered: Amount,
  food: Food | undefined,
): number | undefined {
  const [left, right] = [quantityOf(now), quantityOf(remembered)];
  if (left.of !== right.of && !food) return undefined;
  const weigh = (of: Food, amount: Amount) =>
    weighPortion(of, amount, { role: "main", main: undefined }).grams;
  const ratio =
    food && left.of !== right.of
      ? weigh(food, now) / weigh(food, remembered)
      : left.count / right.count;
  return ratio <= RATIO_MAX && ratio >= 1 / RATIO_MAX ? ratio : undefined;
}

/** How much of what an amount is: quantities of the same can be compared without the food. */
function quantityOf({ count, measure, unit, size }: Amount): { count: number; of: string } {
  if (!measure) return { count, of: `${size} ${unit}` };
  const one = measure.kind === "mass" ? measure.grams : measure.milliliters;
  return { count: count * one, of: measure.kind };
}
