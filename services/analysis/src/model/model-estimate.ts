import { list, totalOf } from "../domain/estimate/estimate.ts";
import type { EatenFood, Estimate, LineResult } from "../domain/estimate/estimate.ts";
import { energyAgrees, knownNutrients, problemOfFigures } from "../domain/foods/food.ts";
import { candidateId, type LineQuestion, type ModelFood, type ModelLine } from "./chat-messages.ts";

const FOODS_MAX = 20;
const GRAMS_MIN = 0.1;
/** A larger weight is accepted only if the text states it. */
const ASSUMED_GRAMS_MAX = 1_500;
const STATED_GRAMS_MAX = 5_000;

/** Confidence in each kind of evidence. */
const TABLE_FOOD = 0.93;
const MODEL_FOOD = 0.65;
const ASSUMED_AMOUNT = 0.85;
/** Two estimates agree within the larger of these: the FDA's tolerance for labels, and 15 kcal. */
const AGREEMENT_SHARE = 0.2;
const AGREEMENT_KCAL = 15;
const DISAGREEMENT = 0.8;
const CONFIDENCE_MAX = 0.97;

/** Grams that the parts of 100 g may weigh, rounding included. */
const PARTS_MAX = 102;
const ASSUMPTIONS_MAX = 3;
const NAME_CHARACTERS_MAX = 40;

interface ReadFood extends EatenFood {
  /** Whether its figures are those of a table. */
  readonly isListed: boolean;
  readonly isStated: boolean;
}

/** The estimate from the model's reading, if that is plausible; `embedded` is the food tables' result. */
export function estimateOf(
  { foods: said }: ModelLine,
  options: { question: LineQuestion; embedded: LineResult; biasFactor: number },
): Estimate | undefined {
  const foods = said.flatMap((food) => readFood(food, options.question) ?? []);
  if (foods.length === 0 || foods.length > FOODS_MAX || foods.length < said.length)
    return undefined;
  return {
    kind: "estimate",
    ...totalOf(foods, options.biasFactor),
    confidence: confidenceOf(foods, options.embedded),
    comment: commentOf(foods),
    provenance: "model",
  };
}

function readFood(said: ModelFood, { candidates }: LineQuestion): ReadFood | undefined {
  const { grams, amount_stated: isStated } = said;
  if (!(grams >= GRAMS_MIN && grams <= (isStated ? STATED_GRAMS_MAX : ASSUMED_GRAMS_MAX))) {
    return undefined;
  }
  // Figures from a table take precedence over the model's.
  const listed = candidates.find((_, index) => candidateId(index) === said.candidate);
  const food = listed ?? foodOf(said);
  return food && { text: food.name, food, grams, isListed: food === listed, isStated };
}

/** The food with the model's own figures for 100 g, if a food can have them. */
function foodOf({ name, per_100g: figures }: ModelFood): EatenFood["food"] | undefined {
  const alcohol = figures?.alcohol ?? 0;
  if (!figures || !(alcohol >= 0)) return undefined;
  const per100Grams = knownNutrients(figures);
  const { protein, carbs, fat, sugar = 0, fiber = 0 } = per100Grams;
  const isComplete = protein !== undefined && carbs !== undefined && fat !== undefined;
  const isPlausible =
    problemOfFigures(per100Grams, PARTS_MAX - alcohol) === undefined &&
    Math.max(sugar, fiber) <= (carbs ?? 100) + 1 &&
    (!isComplete || energyAgrees(per100Grams, alcohol));
  if (!isPlausible) return undefined;
  const unlisted = { reference: "", kind: "food", gramsPerMilliliter: undefined } as const;
  return { ...unlisted, name: plainName(name), per100Grams };
}

/** From the evidence for foods and amounts, and from whether the food tables agree. */
function confidenceOf(foods: readonly ReadFood[], embedded: LineResult): number {
  const certainty = ({ isListed, isStated }: ReadFood) =>
    (isListed ? TABLE_FOOD : MODEL_FOOD) * (isStated ? 1 : ASSUMED_AMOUNT);
  const caloriesOf = ({ food, grams }: ReadFood) => (food.per100Grams.calories * grams) / 100;
  const importance = (food: ReadFood) => Math.max(1, caloriesOf(food));
  const own = sumOf(foods, (food) => certainty(food) * importance(food)) / sumOf(foods, importance);
  if (embedded.kind !== "estimate") return own;
  const calories = sumOf(foods, caloriesOf);
  const other = sumOf(embedded.components, (component) => component.calories);
  const tolerance = Math.max(AGREEMENT_KCAL, AGREEMENT_SHARE * Math.max(calories, other));
  if (Math.abs(calories - other) > tolerance) return own * DISAGREEMENT;
  return Math.min(CONFIDENCE_MAX, 1 - (1 - own) * (1 - embedded.confidence));
}

/** Composed here, so that no sentence of the model is ever shown. */
function commentOf(foods: readonly ReadFood[]): string {
  const assumed = foods.filter(({ isStated }) => !isStated).slice(0, ASSUMPTIONS_MAX);
  if (assumed.length === 0) return "";
  const portions = assumed.map(({ text, grams }) => `${Math.round(grams)} g of ${text}`);
  return `Assumed ${list(portions)}.`;
}

/** The model's name for a food, reduced to letters, digits and a few marks. */
function plainName(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N} ,%'-]/gu, " ").replace(/\s+/g, " ");
  const letters = [...plain.trim()].slice(0, NAME_CHARACTERS_MAX).join("");
  return letters === "" ? "food" : letters;
}

function sumOf<Item>(items: readonly Item[], amount: (item: Item) => number): number {
  return items.reduce((total, item) => total + amount(item), 0);
}
