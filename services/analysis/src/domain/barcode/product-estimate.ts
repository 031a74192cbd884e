import { hasGtinLength } from "@nutrition/core/gtin";

import type { Amount } from "../segmentation/amount.ts";
import { NO_AMOUNT } from "../segmentation/amount.ts";
import type { Estimate, LineResult } from "../estimate/estimate.ts";
import { cannotTell, totalOf, withNote } from "../estimate/estimate.ts";
import { estimateLine } from "../estimate/estimator.ts";
import type { LineInput } from "../estimate/estimator.ts";
import { SERVING } from "../foods/food.ts";
import type { Food } from "../foods/food.ts";
import type { LineReader } from "../line-reader.ts";
import { addNutrients } from "../foods/nutrients.ts";
import { weighPortion } from "../portions/portion-weight.ts";
import { refusalOfWeight, shorten } from "../estimate/refusal.ts";
import { wordsOf } from "../text/tokens.ts";
import { LISTS } from "../text/words.ts";
import type { BarcodeLine, NamedBarcode } from "./barcode-line.ts";

/** Packaged foods by their barcodes of 14 digits; undefined if they could not be looked up. */
export type ProductsByBarcode = ReadonlyMap<string, Food> | undefined;

/** Who is to be credited for a food, by the table of its reference, such as `off:4006381333931`. */
const PUBLISHERS: Readonly<Record<string, string>> = {
  off: "Open Food Facts (ODbL)",
  fdc: "USDA FoodData Central",
};

/** Confidence in the figures of a label. */
const LABEL_CONFIDENCE = 0.95;
/** Factor of the confidence if a barcode or a part of the line was not used. */
const UNUSED_FACTOR = 0.8;
const PACKET = "packet";

/**
 * Estimates a line by the product with its barcode: the figures of the label, for the stated amount or
 * else a serving. Figures that the person states, and their own earlier correction, take precedence. If
 * the barcode is invalid or unknown, the food is estimated by its name and the comment says so. A line
 * with nothing but such a barcode is refused.
 */
export function estimateBarcodeLine(
  line: BarcodeLine,
  products: ProductsByBarcode,
  reader: LineReader,
): LineResult {
  const { rest, barcodes } = line;
  const byName = estimateLine(rest, reader);
  if (byName.kind === "estimate" && byName.provenance !== "food_table") return byName;
  const [barcode, ...more] = barcodes;
  if (!barcode || more.length > 0) {
    return cannotTell("Write each barcode on a line of its own, with its amount.");
  }
  const product = products?.get(barcode.gtin ?? "");
  if (product) return estimateProduct(product, line, reader);
  const problem = problemOf(barcode, products);
  if (byName.kind === "cannot_tell") return cannotTell(problem);
  return withNote(byName, problem, UNUSED_FACTOR);
}

/** Why a barcode has no product, and what to do. */
function problemOf({ digits, gtin }: NamedBarcode, products: ProductsByBarcode): string {
  if (!hasGtinLength(digits)) {
    return `${digits} is not a barcode, which has 8, 12, 13 or 14 digits. Compare it with the package.`;
  }
  if (gtin === undefined) {
    return `${digits} is not a valid barcode: its last digit does not fit the others. Compare it with the package.`;
  }
  if (!products) {
    return `Barcode ${digits} cannot be looked up right now. Name the food, or try again in a minute.`;
  }
  return `No product is known by the barcode ${digits}. Name the food or state its calories.`;
}

function estimateProduct(food: Food, line: BarcodeLine, reader: LineReader): LineResult {
  const { rest, others } = line;
  const amount = amountIn(line.said, food, reader);
  const weight = weighPortion(food, amount, { role: "main", main: undefined });
  const { grams, assumption } = weight;
  const problem = refusalOfWeight(grams);
  if (problem) return problem;
  const text = `barcode ${line.barcodes[0]?.gtin}`;
  const publisher = PUBLISHERS[food.reference.split(":")[0] ?? ""] ?? "an imported table";
  const brand = food.brand === undefined ? "" : ` (${food.brand})`;
  const source = `From the label of “${food.name}”${brand} in ${publisher}`;
  const assumed = assumption === undefined ? "" : `; assumed ${assumption}`;
  const alone: Estimate = {
    kind: "estimate",
    ...totalOf([{ text, food, grams }], assumption === undefined ? 1 : rest.biasFactor),
    confidence: LABEL_CONFIDENCE * weight.certainty,
    comment: `${source}${assumed}.`,
    provenance: "food_table",
  };
  return others === "" ? alone : together(alone, others, { rest, reader });
}

/** The product together with the other foods of the line. */
function together(
  product: Estimate,
  others: string,
  { rest, reader }: { rest: LineInput; reader: LineReader },
): LineResult {
  const beside = estimateLine({ ...rest, line: others, remembered: [] }, reader);
  if (beside.kind === "cannot_tell") {
    return withNote(product, `Did not count “${shorten(others)}”.`, UNUSED_FACTOR);
  }
  return {
    ...product,
    nutrients: addNutrients(product.nutrients, beside.nutrients),
    confidence: Math.min(product.confidence, beside.confidence),
    comment: `${product.comment} ${beside.comment}`.trim(),
    components: [...product.components, ...beside.components],
  };
}

/** The first amount in the texts; each is also read in pieces, as a product's name may contain commas. */
function amountIn(said: readonly string[], food: Food, reader: LineReader): Amount {
  const pieces = said.flatMap((text) => [text, ...text.split(/[,()]/u)]);
  for (const piece of pieces) {
    const { amount, name } = reader.quantify(piece);
    if (amount.measure || amount.unit) return packaged(amount, food.portions);
    if (!amount.counted && !amount.size) continue;
    // "2 biscuits", if the label gives the weight of a biscuit.
    const unit = wordsOf(name).find((word) => food.portions.has(word));
    return unit === undefined ? amount : { ...amount, unit };
  }
  return NO_AMOUNT;
}

/** A bottle or jar means the package, or else a serving, unless the label gives the weight of one. */
function packaged(amount: Amount, portions: ReadonlyMap<string, number>): Amount {
  const { unit } = amount;
  const isPackage = unit !== undefined && LISTS.packages.has(unit) && !portions.has(unit);
  return isPackage ? { ...amount, unit: portions.has(PACKET) ? PACKET : SERVING } : amount;
}
