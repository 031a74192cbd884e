import { NUTRIENT_KEYS } from "@nutrition/core/nutrients";

import type { Nutrients } from "./nutrients.ts";

/** Energy of 100 g of pure fat according to USDA, the maximum for any food. */
export const CALORIES_PER_100_GRAMS_MAX = 902;

/** Published figures use specific factors (Merrill and Watt), which differ this much from 4-4-9-7. */
const TOLERANCE_SHARE = 0.25;
const TOLERANCE_KCAL = 25;

/** Energy in kcal by the factors 4-4-9, and 7 for `alcohol` in grams, if all carbohydrate is digested. */
export function maxEnergyOf(
  { protein = 0, carbs = 0, fat = 0 }: Nutrients,
  alcohol: number,
): number {
  return 4 * protein + 4 * carbs + 9 * fat + 7 * alcohol;
}

/** Whether the energy agrees with protein, carbohydrate, fat and alcohol; fiber counts 0 to 4 kcal/g. */
export function energyAgrees(nutrients: Nutrients, alcohol: number): boolean {
  const { calories, carbs = 0, fiber = 0 } = nutrients;
  const most = maxEnergyOf(nutrients, alcohol);
  const least = most - 4 * Math.min(fiber, carbs);
  const slack = Math.max(TOLERANCE_KCAL, TOLERANCE_SHARE * calories);
  return calories >= least - slack && calories <= most + slack;
}

/** The kind of table that an imported food comes from. */
export type ImportedSource = "reference" | "survey" | "foundation" | "branded";

/** A portion of a published table, such as "cup, chopped" or "medium (7\" long)". */
export interface NamedPortion {
  readonly name: string;
  readonly grams: number;
}

/** A food of a published table, to be imported. */
export interface ImportedFood {
  readonly reference: string;
  readonly name: string;
  readonly source: ImportedSource;
  /** Empty for generic foods, and for packaged foods that are known only by their barcode. */
  readonly brand: string;
  /** Barcode in digits; empty for none. */
  readonly gtin: string;
  /** Other names in its table. */
  readonly aliases: readonly string[];
  readonly per100Grams: Nutrients;
  readonly portions: readonly NamedPortion[];
}

const REFERENCE = /^[a-z0-9]{1,20}:[A-Za-z0-9-]{1,40}$/;
const NAME_MAX = 400;
const BRAND_MAX = 200;
const ALIASES_MAX = 20;
const PORTIONS_MAX = 60;
const PORTION_NAME_MAX = 200;
const PORTION_GRAMS_MAX = 20_000;
/** Grams that the parts of 100 g may weigh, allowing for rounding on labels. */
const PARTS_MAX = 110;
/** Sodium in 100 g of table salt, in milligrams. */
const SODIUM_MAX = 40_000;

/** Why a food cannot be imported, in one sentence; undefined if it can. */
export function problemOfImported(food: ImportedFood): string | undefined {
  const { reference, name, brand, gtin, source } = food;
  if (!REFERENCE.test(reference)) return "The reference must look like sr28:01123.";
  if (name.trim() === "") return "The name is missing.";
  if (name.length > NAME_MAX) return `The name is longer than ${NAME_MAX} characters.`;
  if (brand.length > BRAND_MAX) return `The brand is longer than ${BRAND_MAX} characters.`;
  if (food.aliases.length > ALIASES_MAX) return `There are more than ${ALIASES_MAX} other names.`;
  if (food.aliases.some(({ length }) => length > NAME_MAX)) {
    return `A name is longer than ${NAME_MAX} characters.`;
  }
  if (source === "branded" && brand.trim() === "" && gtin === "") {
    return "A branded food needs its brand or its barcode.";
  }
  if (!/^(?:\d{8,14})?$/.test(gtin)) return "The barcode must have 8 to 14 digits.";
  return problemOfFigures(food.per100Grams) ?? problemOfPortions(food);
}

/**
 * Why no food can have these nutrients per 100 g; undefined if one can. Protein, carbohydrate and fat
 * may weigh `partsMax` grams together.
 */
export function problemOfFigures(
  figures: Nutrients,
  { partsMax = PARTS_MAX } = {},
): string | undefined {
  const { calories, protein = 0, carbs = 0, fat = 0, sodium = 0 } = figures;
  const amounts = NUTRIENT_KEYS.map((key) => figures[key] ?? 0);
  if (!amounts.every((amount) => Number.isFinite(amount) && amount >= 0)) {
    return "An amount is negative or not a number.";
  }
  if (calories > CALORIES_PER_100_GRAMS_MAX) {
    return `${calories} kcal per 100 g are more than pure fat has.`;
  }
  if (protein + carbs + fat > partsMax) return "The parts of 100 g weigh more than 100 g.";
  if (sodium > SODIUM_MAX) return `${sodium} mg of sodium per 100 g are more than salt has.`;
  return undefined;
}

function problemOfPortions({ portions }: ImportedFood): string | undefined {
  if (portions.length > PORTIONS_MAX) return `There are more than ${PORTIONS_MAX} portions.`;
  const isSound = ({ name, grams }: NamedPortion) =>
    name.trim() !== "" &&
    name.length <= PORTION_NAME_MAX &&
    grams > 0 &&
    grams <= PORTION_GRAMS_MAX;
  return portions.every(isSound) ? undefined : "A portion has no name or an impossible weight.";
}
