import { NO_AMOUNT } from "../segmentation/amount.ts";
import { hasAmount } from "../segmentation/parsed-line.ts";
import { EACH, servingGrams } from "../foods/food.ts";
import type { Food } from "../foods/food.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import type { ReadPart } from "./read-part.ts";
import { wordsOf } from "../text/tokens.ts";
import { findSize } from "../text/units.ts";
import type { Size } from "../text/units.ts";
import { LISTS, words } from "../text/words.ts";

const MEALS = words("meal combo");
/** In the singular, as names are looked up. */
const FRIES = ["french", "fry"];
/** A serving heavier than this many pieces consists of several. */
const PIECE_SHARE = 1.5;

/**
 * Expands meals: "Big Mac meal with coke" is the burger, fries and the cola. Fries and drink are
 * medium unless the line states another size. No drink is added unless it is named.
 */
export function expandMeals(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  const at = parts.findIndex(({ name }) => name.some((word) => MEALS.has(word)));
  const [before, [meal, ...after]] = [parts.slice(0, at), parts.slice(at)];
  const named = wordsOf(meal?.tokens.filter(({ kind }) => kind === "word") ?? []);
  const whole = findFastFood(named, index);
  const food = whole ?? findFastFood(meal?.name ?? [], index);
  if (at === -1 || !meal || !food) return parts;
  // The "big" of a Big Mac is no size.
  const isSized = !whole || findSize(named[0] ?? "") === undefined;
  const size = (isSized ? meal.amount.size : undefined) ?? "medium";
  const match = { food, score: 1, unmatched: [] };
  const amount = { count: Math.max(1, meal.amount.count), counted: true };
  const main: ReadPart = { ...meal, match, amount };
  const others = after.map((part) => sized(part, size));
  if (others.some((part) => part.match?.food.name.endsWith("fries"))) {
    return [...before, main, ...others];
  }
  // "6 nugget meal" is one meal of six nuggets.
  const isOfPieces = servingGrams(food) > PIECE_SHARE * (food.portions.get(EACH) ?? Infinity);
  const fries: ReadPart = {
    ...meal,
    role: "companion",
    name: FRIES,
    match: index.match(FRIES),
    amount: { count: isOfPieces ? 1 : amount.count, counted: true, size },
  };
  return [...before, main, fries, ...others];
}

/** A drink that comes with a meal takes the size of the meal. */
function sized(part: ReadPart, size: Size): ReadPart {
  const isPlain = part.match && part.match.food.kind !== "food" && !hasAmount(part);
  return isPlain ? { ...part, amount: { ...NO_AMOUNT, size } } : part;
}

/** The fast food that is named before "meal". */
function findFastFood(said: readonly string[], index: FoodIndex): Food | undefined {
  const name = said.slice(
    0,
    said.findIndex((word) => MEALS.has(word)),
  );
  const food = index.findByName(name.join(" ")) ?? index.findByName(["chicken", ...name].join(" "));
  const words = [...name, ...(food?.name.split(" ") ?? [])];
  return words.some((word) => LISTS.fastFoods.has(word)) ? food : undefined;
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
