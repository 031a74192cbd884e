import type { Food } from "./food.ts";
import { SERVING } from "./food.ts";
import { withoutEmpty } from "./food-index.ts";
import type { Spellings } from "./spelling.ts";
import { tokenize, wordsOf } from "./tokens.ts";

/** Energy of pure fat as USDA gives it, the most there is. */
const CALORIES_PER_100_GRAMS_MAX = 902;
const PORTION_GRAMS_MAX = 5_000;
const REFERENCE =
  /^(sr28:\d{5}|fndds2021:\d{8})(\*\d+(\.\d+)?)?(\+(sr28:\d{5}|fndds2021:\d{8})\*\d+(\.\d+)?)*$/;
/** Published figures follow specific factors (Merrill and Watt), which differ this much from 4-4-9-7. */
const ENERGY_TOLERANCE_SHARE = 0.25;
const ENERGY_TOLERANCE_KCAL = 25;
/** Foods whose carbohydrate is mostly not digested, so that the source counts it at less than 4. */
const UNDIGESTED: ReadonlySet<string> = new Set(["cocoa powder", "oat bran", "sweetener"]);

/** Everything that is wrong with a food table, one sentence each; empty when it is sound. */
export function problemsOf(foods: readonly Food[], spellings: Spellings): string[] {
  return [...foods.flatMap(problemsOfFood), ...duplicateNames(foods, spellings)];
}

function problemsOfFood(food: Food): string[] {
  const problems = [...rangeProblems(food), ...portionProblems(food)];
  const energy = energyProblem(food);
  if (energy) problems.push(energy);
  if (!REFERENCE.test(food.reference)) problems.push("the reference is not one of a known source");
  if (food.kind !== "food" && food.gramsPerMilliliter === undefined) {
    problems.push("what is drunk needs a density");
  }
  return problems.map((problem) => `${food.group}: ${food.name}: ${problem}.`);
}

function rangeProblems(food: Food): string[] {
  const { calories, protein = 0, carbs = 0, fat = 0, sugar = 0, fiber = 0 } = food.per100Grams;
  const problems: string[] = [];
  if (!(calories >= 0 && calories <= CALORIES_PER_100_GRAMS_MAX)) {
    problems.push(`${calories} kcal per 100 g is out of range`);
  }
  // A gram for rounding in the source.
  if (protein + carbs + fat + food.alcoholPer100Grams > 102) {
    problems.push("the parts of 100 g weigh more than 100 g");
  }
  if (sugar + fiber > carbs + 1.5) problems.push("sugar and fiber exceed the carbohydrate");
  const density = food.gramsPerMilliliter ?? 1;
  if (density < 0.7 || density > 1.5) problems.push(`a density of ${density} g/ml is out of range`);
  return problems;
}

/** Energy against 4-4-9, with 7 for alcohol and from 0 to 4 for fiber. */
function energyProblem(food: Food): string | undefined {
  const { calories, protein = 0, carbs = 0, fat = 0, fiber = 0 } = food.per100Grams;
  const most = 4 * protein + 4 * carbs + 9 * fat + 7 * food.alcoholPer100Grams;
  const undigested = UNDIGESTED.has(food.name) ? carbs : Math.min(fiber, carbs);
  const least = most - 4 * undigested;
  const slack = Math.max(ENERGY_TOLERANCE_KCAL, ENERGY_TOLERANCE_SHARE * calories);
  if (calories >= least - slack && calories <= most + slack) return undefined;
  return `${calories} kcal do not agree with its protein, carbohydrate, fat and alcohol`;
}

function portionProblems(food: Food): string[] {
  const problems: string[] = [];
  if (!food.portions.has(SERVING)) problems.push("the serving is missing");
  for (const [name, grams] of food.portions) {
    if (!(grams > 0 && grams <= PORTION_GRAMS_MAX))
      problems.push(`a ${name} of ${grams} g is out of range`);
  }
  const [small, large] = [food.portions.get("small"), food.portions.get("large")];
  if (small !== undefined && large !== undefined && small >= large) {
    problems.push("small is not smaller than large");
  }
  return problems;
}

function duplicateNames(foods: readonly Food[], spellings: Spellings): string[] {
  const owners = new Map<string, Food>();
  const problems: string[] = [];
  for (const food of foods) {
    for (const text of [food.name, ...food.aliases]) {
      const phrase = withoutEmpty(wordsOf(tokenize(text, spellings))).join(" ");
      const owner = owners.get(phrase);
      if (owner && owner !== food) {
        problems.push(`${food.group}: ${food.name}: “${text}” also names ${owner.name}.`);
      }
      owners.set(phrase, food);
    }
  }
  return problems;
}
