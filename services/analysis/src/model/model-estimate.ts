import { CALORIES_PER_100_GRAMS_MAX, energyAgrees } from "../domain/foods/energy.ts";
import type { Component, Estimate, LineResult } from "../domain/estimate/estimate.ts";
import type { Nutrients } from "../domain/foods/nutrients.ts";
import { addNutrients, NO_NUTRIENTS, scaleNutrients } from "../domain/foods/nutrients.ts";
import type { ModelFood, ModelLine } from "./model-answer.ts";
import type { Candidate, LineQuestion } from "./model-question.ts";
import { candidateId } from "./model-question.ts";

const FOODS_MAX = 20;
const GRAMS_MIN = 0.1;
/** More than an ordinary helping of anything is only believed when the text states it. */
const ASSUMED_GRAMS_MAX = 1_500;
const STATED_GRAMS_MAX = 5_000;
const SODIUM_PER_100_GRAMS_MAX = 40_000;

/** How far the kind of evidence is to be trusted. */
const TABLE_FOOD = 0.93;
const MODEL_FOOD = 0.65;
const ASSUMED_AMOUNT = 0.85;
/** Two readings agree when they differ by no more than this (FDA's tolerance for labels, and 15 kcal). */
const AGREEMENT_SHARE = 0.2;
const AGREEMENT_KCAL = 15;
const DISAGREEMENT = 0.8;
const CONFIDENCE_MAX = 0.97;

const ASSUMPTIONS_MAX = 3;
const NAME_CHARACTERS_MAX = 40;

/** What a model's reading of a line is made an estimate with. */
export interface EstimateOptions {
  question: LineQuestion;
  /** What the embedded provider makes of the same line, for comparison. */
  embedded: LineResult;
  biasFactor: number;
}

interface ReadFood {
  readonly name: string;
  readonly candidate: Candidate | undefined;
  readonly grams: number;
  readonly isStated: boolean;
  readonly nutrients: Nutrients;
}

/** The estimate that a model's reading gives, or undefined when it is empty or absurd. */
export function estimateOf(reading: ModelLine, options: EstimateOptions): Estimate | undefined {
  if (reading.foods.length === 0 || reading.foods.length > FOODS_MAX) return undefined;
  const read = reading.foods.map((food) => readFood(food, options.question));
  const foods = read.filter((food) => food !== undefined);
  if (foods.length < read.length) return undefined;
  const nutrients = foods.map((food) => food.nutrients).reduce(addNutrients, NO_NUTRIENTS);
  const isWater = foods.every(({ candidate }) => candidate?.kind === "water");
  return {
    kind: "estimate",
    nutrients: scaleNutrients(nutrients, options.biasFactor),
    isWater,
    waterMilliliters: isWater ? sumOf(foods, millilitersOf) : 0,
    confidence: confidenceOf(foods, nutrients.calories, options),
    comment: commentOf(foods),
    provenance: "model",
    components: foods.map(componentOf),
  };
}

function readFood(food: ModelFood, { candidates }: LineQuestion): ReadFood | undefined {
  const { grams, amount_stated: isStated } = food;
  if (!(grams >= GRAMS_MIN && grams <= (isStated ? STATED_GRAMS_MAX : ASSUMED_GRAMS_MAX))) {
    return undefined;
  }
  const candidate = candidates.find((_, index) => candidateId(index) === food.candidate);
  // Figures of a table come before those of a model.
  const per100Grams = candidate?.per100Grams ?? plausible(food);
  if (!per100Grams) return undefined;
  const nutrients = scaleNutrients(per100Grams, grams / 100);
  return { name: candidate?.name ?? plainName(food.name), candidate, grams, isStated, nutrients };
}

/** The model's own figures of 100 g, if such a food can be. */
function plausible({ per_100g: figures }: ModelFood): Nutrients | undefined {
  if (!figures) return undefined;
  const { alcohol, ...amounts } = figures;
  const known = Object.values(figures).filter((amount) => amount !== null);
  if (!known.every((amount) => Number.isFinite(amount) && amount >= 0)) return undefined;
  const { calories, protein, carbs, fat, sugar, fiber, sodium } = amounts;
  const nutrients: Nutrients = {
    calories,
    protein: protein ?? undefined,
    carbs: carbs ?? undefined,
    fat: fat ?? undefined,
    sugar: sugar ?? undefined,
    fiber: fiber ?? undefined,
    sodium: sodium ?? undefined,
  };
  const parts = (protein ?? 0) + (carbs ?? 0) + (fat ?? 0) + (alcohol ?? 0);
  const isInRange =
    calories <= CALORIES_PER_100_GRAMS_MAX &&
    parts <= 102 &&
    (sugar ?? 0) <= (carbs ?? 100) + 1 &&
    (fiber ?? 0) <= (carbs ?? 100) + 1 &&
    (sodium ?? 0) <= SODIUM_PER_100_GRAMS_MAX;
  const isComplete = protein !== null && carbs !== null && fat !== null;
  const agrees = !isComplete || energyAgrees(nutrients, { alcohol: alcohol ?? 0 });
  return isInRange && agrees ? nutrients : undefined;
}

/** Of the evidence for foods and amounts, and of whether the embedded provider reads the same. */
function confidenceOf(
  foods: readonly ReadFood[],
  calories: number,
  { embedded }: EstimateOptions,
): number {
  const certainty = ({ candidate, isStated }: ReadFood) =>
    (candidate ? TABLE_FOOD : MODEL_FOOD) * (isStated ? 1 : ASSUMED_AMOUNT);
  const importance = ({ nutrients }: ReadFood) => Math.max(1, nutrients.calories);
  const own = sumOf(foods, (food) => certainty(food) * importance(food)) / sumOf(foods, importance);
  if (embedded.kind !== "estimate") return own;
  const other = sumOf(embedded.components, (component) => component.calories);
  const tolerance = Math.max(AGREEMENT_KCAL, AGREEMENT_SHARE * Math.max(calories, other));
  if (Math.abs(calories - other) > tolerance) return own * DISAGREEMENT;
  return Math.min(CONFIDENCE_MAX, 1 - (1 - own) * (1 - embedded.confidence));
}

/** Made here: what a model writes is never shown as a sentence. */
function commentOf(foods: readonly ReadFood[]): string {
  const assumed = foods.filter(({ isStated }) => !isStated).slice(0, ASSUMPTIONS_MAX);
  if (assumed.length === 0) return "";
  const portions = assumed.map(({ name, grams }) => `${Math.round(grams)} g of ${name}`);
  const last = portions.pop();
  return `Assumed ${portions.length === 0 ? "" : `${portions.join(", ")} and `}${last}.`;
}

/** Letters and a few marks of a name that a model gave; anything else has no business in one. */
function plainName(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N} ,%'-]/gu, " ").replace(/\s+/g, " ");
  const letters = [...plain.trim()].slice(0, NAME_CHARACTERS_MAX).join("");
  return letters === "" ? "food" : letters;
}

function componentOf({ name, candidate, grams, nutrients }: ReadFood): Component {
  const { calories } = nutrients;
  return { text: name, foodName: name, reference: candidate?.reference ?? "", grams, calories };
}

function millilitersOf({ grams, candidate }: ReadFood): number {
  return grams / (candidate?.gramsPerMilliliter ?? 1);
}

function sumOf<Item>(items: readonly Item[], amount: (item: Item) => number): number {
  return items.reduce((total, item) => total + amount(item), 0);
}
