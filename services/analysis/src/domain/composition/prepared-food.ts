import { type Food, scaleNutrients } from "../foods/food.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import type { FoodMatch } from "../matching/comparison.ts";
import type { FoundFood, ReadPart } from "./read-part.ts";
import { singular, LISTS, words } from "../text/words.ts";
import { isWord } from "../text/tokens.ts";
import { RAW_PACK_GRAMS } from "../text/quantities.ts";

const STARCHES = words("grains legumes");
const MEATS = words("meat fish");
/** Maximum energy of cooked starches in kcal per 100 g; dry ones have more. */
const COOKED_STARCH_CALORIES_MAX = 220;
/** Cooked weight per dry weight: rice 2.8, pasta 2.4, lentils 3.0 (SR 28). */
const DRY_FACTOR = 2.7;
/** Cooked weight per raw weight of meat and fish, which lose a quarter of it as water (SR 28). */
const RAW_FACTOR = 0.75;
/** Sodium in mg per 100 g from which meat and fish are cured, and not sold raw (FNDDS). */
const CURED_SODIUM_MIN = 690;
/** Confidence lost when a raw food is derived from the cooked one. */
const DERIVED_COST = 0.1;

/** States by the words that say them, with what the cooked food's figures are multiplied by. */
const STATES = [
  { state: "dry", said: words("dry uncooked raw dried"), factor: DRY_FACTOR, fits: isCookedStarch },
  { state: "raw", said: words("raw uncooked"), factor: RAW_FACTOR, fits: isMeat },
];

/** Applies a stated state: "dried red lentils" are dry ones, or else the cooked ones without the water. */
export function inStatedState(match: FoodMatch, index: FoodIndex): FoodMatch {
  const { food, unmatched } = match;
  const meant = STATES.find(
    ({ said, fits }) => fits(food) && unmatched.some((word) => said.has(word)),
  );
  if (!meant) return match;
  const listed = findInState(food, meant.state, index);
  return {
    ...(listed ? { ...match, food: listed } : derived(match, meant.state, meant.factor)),
    unmatched: [],
  };
}

function findInState(food: Food, state: string, index: FoodIndex): Food | undefined {
  return index.findByWords([state, ...food.name.split(" ").map(singular)]);
}

function isMeat({ group }: Food): boolean {
  return MEATS.has(group);
}

function isCookedStarch({ group, per100Grams }: Food): boolean {
  return STARCHES.has(group) && per100Grams.calories <= COOKED_STARCH_CALORIES_MAX;
}

/** Weight in grams from which mince is taken to be raw; smaller amounts are also weighed cooked. */
const MINCE_MIN = 400;
const CANNED_UNITS = words("can tin");
const RAW_NAMES = ["raw", "dry"];
const RAW_GROUPS = words("meat fish vegetables eggs grains legumes");

/** Picks raw or dry food for recipes and for packs of meat or pasta, and canned food for cans of beans. */
export function withIntendedState(
  parts: readonly ReadPart[],
  index: FoodIndex,
  isRecipe: boolean,
): readonly ReadPart[] {
  return parts.map((part) => {
    if (part.name.some((word) => LISTS.cookedStates.has(word))) return part;
    const isCanned = part.tokens.some((token) => isWord(token, CANNED_UNITS));
    const states = isCanned ? ["canned"] : isRecipe || isPack(part) ? RAW_NAMES : [];
    return inState(part, states, index);
  });
}

const STARCH_CARBS_MIN = 10;

/** Whether a starch was weighed and nothing says whether dry or cooked: it is read as cooked. */
export function hasNoStatedState({ text, match, amount }: FoundFood): boolean {
  const { food } = match;
  const isStarch = isCookedStarch(food) && (food.per100Grams.carbs ?? 0) >= STARCH_CARBS_MIN;
  if (!isStarch || amount.measure?.kind !== "mass") return false;
  return !`${text} ${food.name}`.split(" ").some((word) => LISTS.statesOfStarch.has(word));
}

function isPack({ match, amount: { count, measure } }: ReadPart): boolean {
  if (measure?.kind !== "mass" || !match) return false;
  const grams = Math.round(count * measure.grams);
  const isMince = match.food.name.includes("ground") && grams >= MINCE_MIN;
  return RAW_PACK_GRAMS.has(grams) && (isMince || match.food.group === "grains");
}

function inState(part: ReadPart, states: readonly string[], index: FoodIndex): ReadPart {
  const { match, name } = part;
  if (!match || !RAW_GROUPS.has(match.food.group)) return part;
  if (states.some((state) => match.food.name.startsWith(`${state} `))) return part;
  for (const state of states) {
    const food = findInState(match.food, state, index) ?? index.findByWords([state, ...name]);
    if (food) return { ...part, match: { ...match, food } };
  }
  const { per100Grams, portions } = match.food;
  const isPreserved = portions.has("can") || (per100Grams.sodium ?? 0) >= CURED_SODIUM_MIN;
  if (!isMeat(match.food) || isPreserved || !states.includes("raw")) return part;
  return { ...part, match: derived(match, "raw", RAW_FACTOR) };
}

/** The food in a state that the table does not list, by the water that cooking adds or removes. */
function derived(match: FoodMatch, state: string, factor: number): FoodMatch {
  const { food, score } = match;
  const per100Grams = scaleNutrients(food.per100Grams, factor);
  const inOtherState = { ...food, name: `${state} ${food.name}`, per100Grams };
  return { ...match, food: inOtherState, score: score - DERIVED_COST };
}
