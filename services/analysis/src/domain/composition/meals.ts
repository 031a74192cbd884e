import type { Amount } from "../segmentation/amount.ts";
import { NO_AMOUNT } from "../segmentation/amount.ts";
import { EACH, servingGrams } from "../foods/food.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import { isDescription } from "../text/name-words.ts";
import { hasAmount } from "./read-part.ts";
import type { ReadPart } from "./read-part.ts";
import { wordsOf } from "../text/tokens.ts";
import { findSize } from "../text/units.ts";
import type { Size } from "../text/units.ts";
import { LISTS, words } from "../text/words.ts";

const MEALS = words("meal combo");
/** In the singular, as names are looked up. */
const FRIES = "french fry";
const MEAL_SCORE = 0.95;
/** A serving heavier than this many pieces consists of several. */
const PIECE_SHARE = 1.5;

/**
 * Expands meals: "Big Mac meal with coke" is the burger, fries and the cola. Fries and drink are
 * medium unless the line states another size. No drink is added unless it is named.
 */
export function expandMeals(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  const at = parts.findIndex(({ name }) => name.some((word) => MEALS.has(word)));
  const meal = parts[at];
  const served = meal && serve(meal, index);
  if (!meal || !served) return parts;
  const { size = "medium" } = served;
  const drinks = parts.slice(at + 1).map((part) => sized(part, size));
  const isFriesStated = drinks.some(({ match }) => match?.food.name.endsWith("fries"));
  const sides = isFriesStated ? [] : [served.fries];
  return [...parts.slice(0, at), served.main, ...served.inside, ...sides, ...drinks];
}

/** A drink that comes with a meal takes the size of the meal. */
function sized(part: ReadPart, size: Size): ReadPart {
  const isPlain = part.match && part.match.food.kind !== "food" && !hasAmount(part);
  return isPlain ? { ...part, amount: { ...NO_AMOUNT, size } } : part;
}

function serve(meal: ReadPart, index: FoodIndex) {
  const tokens = meal.part.tokens;
  const end = tokens.findIndex(({ kind, text }) => kind === "word" && MEALS.has(text));
  const before = wordsOf(tokens.slice(0, end).filter(({ kind }) => kind === "word"));
  const after = wordsOf(tokens.slice(end + 1).filter(({ kind }) => kind === "word"));
  const item = findItem(before, index);
  const fries = index.findByName(FRIES);
  if (!item || !fries) return undefined;
  const size = findSize(before.slice(0, item.start).join(" ")) ?? sizeIn(after);
  const amount: Amount = { count: Math.max(1, meal.amount.count), counted: true };
  // "6 nugget meal" is one meal of six nuggets.
  const each = item.match.food.portions.get(EACH) ?? Infinity;
  const count = servingGrams(item.match.food) > PIECE_SHARE * each ? 1 : amount.count;
  const drink = index.match(after.filter((word) => !findSize(word)));
  const main = { ...meal, name: item.name, amount, match: item.match };
  const inside = drink ? [asDrink(meal, drink, size ?? "medium")] : [];
  const match = { food: fries, score: MEAL_SCORE, unmatched: [] };
  const part = { ...meal.part, role: "companion" as const };
  const side = { part, name: FRIES.split(" "), match };
  return {
    main,
    inside,
    size,
    fries: { ...side, amount: { count, counted: true, size: size ?? "medium" } },
  };
}

/** "Big Mac meal coke": what follows the meal is the drink. */
function asDrink(meal: ReadPart, match: NonNullable<ReadPart["match"]>, size: Size): ReadPart {
  const part = { ...meal.part, role: "companion" as const };
  return { part, name: match.food.name.split(" "), match, amount: { ...NO_AMOUNT, size } };
}

function sizeIn(said: readonly string[]): Size | undefined {
  return said.map(findSize).find((size) => size !== undefined);
}

/** The longest fast food name at the end of the words, as in "large whopper". */
function findItem(said: readonly string[], index: FoodIndex) {
  for (let start = 0; start < said.length; start += 1) {
    const name = said.slice(start);
    const food = index.findByName(name.join(" ")) ?? index.findByName(`chicken ${name.join(" ")}`);
    const rest = said.slice(0, start);
    const isFast = [...name, ...(food?.name.split(" ") ?? [])].some((word) =>
      LISTS.fastFoods.has(word),
    );
    const isRest = rest.every((word) => findSize(word) || isDescription(word));
    if (food && isFast && isRest) {
      return { start, name, match: { food, score: 1, unmatched: [] } };
    }
  }
  return undefined;
}

const CHIPS = "chip";
const CHIPS_OF_A_SIZE: ReadonlySet<string> = new Set(["fry", "french fry"]);
const WITH_TORTILLA_CHIPS = words("guacamole salsa queso nacho taco burrito enchilada fajita");

/**
 * Resolves "chips": fries beside fish or steak, tortilla chips beside salsa, otherwise potato
 * chips. Fries with a size are a restaurant order of that size.
 */
export function resolveChips(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  return parts.map((part) => {
    const others = parts.filter((other) => other !== part).flatMap(({ name }) => name);
    const name = nameMeant(part, others);
    const food = name === undefined ? undefined : index.findByName(name);
    return food ? { ...part, match: { food, score: 0.95, unmatched: [] } } : part;
  });
}

function nameMeant({ name, amount }: ReadPart, others: readonly string[]): string | undefined {
  const text = name.join(" ");
  if (CHIPS_OF_A_SIZE.has(text) && amount.size) return "fast food fry";
  if (text !== CHIPS) return undefined;
  if (others.some((word) => WITH_TORTILLA_CHIPS.has(word))) return "tortilla chip";
  return others.some((word) => LISTS.withFries.has(word)) ? "french fry" : undefined;
}
