import { NO_AMOUNT } from "../segmentation/amount.ts";
import { hasAmount } from "../segmentation/parsed-line.ts";
import { EACH, servingGrams } from "../foods/food.ts";
import type { Food } from "../foods/food.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import type { ReadPart } from "./read-part.ts";
import { singular } from "../text/spelling.ts";
import { wordsOf } from "../text/tokens.ts";
import { findSize } from "../text/units.ts";
import { LISTS, words } from "../text/words.ts";

const MEALS = words("meal combo");
/** In the singular, as names are looked up. */
const FRIES = "french fry";
/** A serving heavier than this many pieces consists of several. */
const PIECE_SHARE = 1.5;

/**
 * Expands meals: "Big Mac meal with coke" is the burger, fries and the cola. Fries and drink are
 * medium unless the line states another size. No drink is added unless it is named.
 */
export function expandMeals(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  const meal = parts.find(({ name }) => name.some((word) => MEALS.has(word)));
  const named = wordsOf(meal?.tokens.filter(({ kind }) => kind === "word") ?? []);
  const whole = findFastFood(named, index);
  const food = whole ?? findFastFood(meal?.name ?? [], index);
  if (!meal || !food) return parts;
  const { count, size: said } = meal.amount;
  // The "big" of a Big Mac is no size.
  const size = (whole && findSize(named[0] ?? "") ? undefined : said) ?? "medium";
  const at = parts.indexOf(meal) + 1;
  const after = parts.slice(at).map((part) => {
    const isDrink = part.match && part.match.food.kind !== "food" && !hasAmount(part);
    return isDrink ? { ...part, amount: { ...NO_AMOUNT, size } } : part;
  });
  const found = (named: Food) => ({ food: named, score: 1, unmatched: [] });
  const main = { ...meal, match: found(food), amount: { count, counted: true } };
  const fries = index.findByName(FRIES);
  const hasFries = after.some(({ match }) => match?.food.name.endsWith("fries"));
  // "6 nugget meal" is one meal of six nuggets.
  const isOfPieces = servingGrams(food) > PIECE_SHARE * (food.portions.get(EACH) ?? Infinity);
  const amount = { count: isOfPieces ? 1 : count, counted: true, size };
  const side = { ...meal, role: "companion", name: FRIES.split(" "), amount } as const;
  const sides = fries && !hasFries ? [{ ...side, match: found(fries) }] : [];
  return [...parts.slice(0, at - 1), main, ...sides, ...after];
}

/** The fast food that is named before "meal". */
function findFastFood(said: readonly string[], index: FoodIndex): Food | undefined {
  const at = said.findIndex((word) => MEALS.has(word));
  const food = index.findByName(said.slice(0, at).join(" "));
  return food?.name.split(" ").some((word) => LISTS.fastFoods.has(singular(word)))
    ? food
    : undefined;
}

const WITH_TORTILLA_CHIPS = words("guacamole salsa queso nacho taco burrito enchilada fajita");

/**
 * Resolves "chips": fries beside fish or steak, tortilla chips beside salsa, otherwise potato
 * chips. Fries with a size are a restaurant order of that size.
 */
export function resolveChips(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  return parts.map((part) => {
    const others = parts.filter((other) => other !== part).flatMap(({ name }) => name);
    const food = index.findByName(nameMeant(part, others) ?? "");
    return food ? { ...part, match: { food, score: 0.95, unmatched: [] } } : part;
  });
}

function nameMeant({ name, amount }: ReadPart, others: readonly string[]): string | undefined {
  const text = name.join(" ");
  if (["fry", FRIES].includes(text) && amount.size) return "fast food fry";
  if (text !== "chip") return undefined;
  if (others.some((word) => WITH_TORTILLA_CHIPS.has(word))) return "tortilla chip";
  return others.some((word) => LISTS.withFries.has(word)) ? FRIES : undefined;
}
