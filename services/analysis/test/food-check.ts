import {
  CALORIES_PER_100_GRAMS_MAX,
  energyAgrees,
  maxEnergyOf,
  SERVING,
} from "../src/domain/foods/food.ts";
import type { Food } from "../src/domain/foods/food.ts";
import type { ListedFood } from "../src/domain/foods/food-tables.ts";
import { withoutEmpty } from "../src/domain/text/vocabulary.ts";
import { isReference } from "./food-check-reference.ts";
import { tokenize, wordsOf } from "../src/domain/text/tokens.ts";

const PORTION_GRAMS_MAX = 5_000;
/** Grams that rounding in the source may add to 100 g. */
const ROUNDING_GRAMS = 2;
const ROUNDING_PART_GRAMS = 1.5;
/** Foods that the source counts at less than 4 kcal per gram: mostly undigested, minerals, polyols. */
const COUNTED_AT_LESS: ReadonlySet<string> = new Set([
  "baking powder",
  "cocoa powder",
  "oat bran",
  "spirulina",
  "sugar free gum",
  "sweetener",
]);
const SIZES = ["mini", "small", "medium", "large", "extra large"] as const;

/** Everything that is wrong with a food table, a sentence with file and line each; empty when sound. */
export function problemsOf(foods: readonly ListedFood[]): string[] {
  return [...foods.flatMap(problemsOfFood), ...duplicateNames(foods)];
}

function problemsOfFood({ food, place }: ListedFood): string[] {
  const problems = [...rangeProblems(food), ...portionProblems(food)];
  const energy = energyProblem(food);
  if (energy) problems.push(energy);
  if (!isReference(food.reference)) {
    problems.push("the reference is none; write sr28:01123, fndds2021:11100000, a recipe or zero");
  }
  if (food.kind !== "food" && food.gramsPerMilliliter === undefined) {
    problems.push("what is drunk needs a density; give the grams of a milliliter");
  }
  return problems.map((problem) => `${place}: ${food.name}: ${problem}.`);
}

function rangeProblems(food: Food): string[] {
  const { calories, protein = 0, carbs = 0, fat = 0, sugar = 0, fiber = 0 } = food.per100Grams;
  const problems: string[] = [];
  if (calories > CALORIES_PER_100_GRAMS_MAX) {
    problems.push(`${calories} kcal per 100 g is out of range; is it the figure of a portion`);
  }
  if (protein + carbs + fat + food.alcoholPer100Grams > 100 + ROUNDING_GRAMS) {
    problems.push("the parts of 100 g weigh more than 100 g; compare them with the reference");
  }
  for (const [part, grams] of Object.entries({ sugar, fiber })) {
    if (grams > carbs + ROUNDING_PART_GRAMS) {
      problems.push(`${part} exceeds the carbohydrate; compare both with the reference`);
    }
  }
  if (sugar + fiber > carbs + ROUNDING_PART_GRAMS) {
    problems.push("sugar and fiber exceed the carbohydrate; compare them with the reference");
  }
  const density = food.gramsPerMilliliter ?? 1;
  if (density < 0.7 || density > 1.5) {
    problems.push(`a density of ${density} g/ml is out of range; it is grams per milliliter`);
  }
  return problems;
}

function energyProblem(food: Food): string | undefined {
  const { name, per100Grams, alcoholPer100Grams: alcohol } = food;
  const most = Math.round(maxEnergyOf(per100Grams, alcohol));
  const isCountedAtLess = COUNTED_AT_LESS.has(name) && per100Grams.calories <= most;
  if (isCountedAtLess || energyAgrees(per100Grams, alcohol)) return undefined;
  return `${per100Grams.calories} kcal do not agree with its protein, carbohydrate, fat and alcohol (${most}); compare them with the reference`;
}

function portionProblems(food: Food): string[] {
  const problems: string[] = [];
  if (!food.portions.has(SERVING)) {
    problems.push("the serving is missing; give the grams eaten when no amount is named");
  }
  for (const [name, grams] of food.portions) {
    if (grams > 0 && grams <= PORTION_GRAMS_MAX) continue;
    problems.push(`a ${name} of ${grams} g is out of range; portions are in grams`);
  }
  const sized = SIZES.filter((size) => food.portions.has(size));
  for (const [at, size] of sized.slice(1).entries()) {
    const smaller = sized[at] ?? size;
    if ((food.portions.get(smaller) ?? 0) < (food.portions.get(size) ?? 0)) continue;
    problems.push(`${smaller} is not smaller than ${size}; correct one`);
  }
  return problems;
}

/** Names are compared as the matcher reads them, so that "White Toasts" is "white toast". */
function duplicateNames(foods: readonly ListedFood[]): string[] {
  const owners = new Map<string, Food>();
  const problems: string[] = [];
  for (const { food, place } of foods) {
    for (const text of [food.name, ...food.aliases]) {
      const phrase = withoutEmpty(wordsOf(tokenize(text))).join(" ");
      const owner = owners.get(phrase);
      if (owner && owner !== food) {
        problems.push(
          `${place}: ${food.name}: "${text}" also names ${owner.name}; keep it for one.`,
        );
      }
      if (phrase === "") problems.push(`${place}: ${food.name}: "${text}" is no name; remove it.`);
      owners.set(phrase, food);
    }
  }
  return problems;
}
