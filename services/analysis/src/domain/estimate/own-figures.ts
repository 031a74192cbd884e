import { type Food, type Nutrients, scaleNutrients } from "../foods/food.ts";
import { cannotTell, type Estimate, type LineResult } from "./estimate.ts";
import { NAMED_SCORE } from "../remarks/line-changes.ts";
import type { LineReader } from "../line-reader.ts";
import { PHRASES } from "../text/words.ts";
import { weighPortion } from "../portions/portion-weight.ts";
import type { Amount } from "../segmentation/amount.ts";
import { compilePattern } from "../text/patterns.ts";
import { phraseOf, wordsOf } from "../text/tokens.ts";

/** What all estimates from the person's own figures share: they list no foods. */
const OWN = { kind: "estimate", waterMilliliters: 0, components: [] } as const;

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
const ENERGY = compilePattern(
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
  const pattern = compilePattern(String.raw`${GRAMS}${after}|\b(?:${names}):? ${GRAMS}`, "iu");
  return [field as keyof Nutrients, pattern] as const;
});

/** Reads figures such as "210 kcal, 20 g protein", and adds up energies; undefined if no energy is stated. */
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
  return { ...OWN, nutrients, confidence: 1, comment: "", provenance: "stated" };
}

/** The food in `rest`, the text without its figures, that is stated to have 0 kcal but has energy. */
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

/** An item that the user has corrected before. */
export interface RememberedItem {
  /** Text of its line. */
  readonly text: string;
  readonly nutrients: Nutrients;
  /** Volume of plain water in it. */
  readonly waterMilliliters: number;
}

const REMEMBERED_CONFIDENCE = 0.97;
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
    const food = isSameName ? reader.index.match(wordsOf(now.name))?.food : undefined;
    const ratio = isSame ? 1 : isSameName && amountRatio(now.amount, before.amount, food);
    if (!ratio) continue;
    return {
      ...OWN,
      nutrients: scaleNutrients(nutrients, ratio),
      waterMilliliters: waterMilliliters * ratio,
      confidence: REMEMBERED_CONFIDENCE,
      comment: "Used your earlier correction of the same food.",
      provenance: "user_memory",
    };
  }
  return undefined;
}

/** The new amount relative to the remembered one, by weights of `food` if they differ in kind. */
export function amountRatio(
  now: Amount,
  remembered: Amount,
  food: Food | undefined,
): number | undefined {
  const [left, right] = [quantityOf(now), quantityOf(remembered)];
  const isSameKind = left.of === right.of;
  if (!isSameKind && !food) return undefined;
  const weigh = (of: Food, amount: Amount) => weighPortion(of, amount, { role: "main" }).grams;
  const ratio =
    food && !isSameKind ? weigh(food, now) / weigh(food, remembered) : left.count / right.count;
  return ratio <= RATIO_MAX && ratio >= 1 / RATIO_MAX ? ratio : undefined;
}

/** An amount as a count of one kind of thing; counts of the same kind are compared without the food. */
function quantityOf({ count, measure, unit, size }: Amount): { count: number; of: string } {
  if (!measure) return { count, of: `${size} ${unit}` };
  const one = measure.kind === "mass" ? measure.grams : measure.milliliters;
  return { count: count * one, of: measure.kind };
}
